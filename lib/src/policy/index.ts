export * from "./policy";
export { TabularPolicy, type TabularOptions } from "./tabular";
export { LogLinearPolicy, toolChainPolicy, type LogLinearOptions, type PriorWeight } from "./logLinear";
export { createPolicy, type PolicyOptions } from "./create";
export { NeuralPolicy } from "./neural/neuralPolicy";
export type { Compute, NeuralOptions } from "./neural/options";
export { imitate, type ImitateOptions } from "./imitate";
