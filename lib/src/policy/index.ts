export * from "./policy";
export { TabularPolicy } from "./tabular";
export { LogLinearPolicy, type LogLinearOptions } from "./logLinear";
export { createPolicy, type PolicyOptions } from "./create";
export { NeuralPolicy } from "./neural/neuralPolicy";
export type { NeuralOptions } from "./neural/options";
export { imitate } from "./imitate";
export { toolChainPolicy } from "./toolChainPolicy";
