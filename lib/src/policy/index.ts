export * from "./policy";
export { TabularPolicy, type TabularOptions } from "./tabular";
export { LogLinearPolicy, toolChainPolicy, type LogLinearOptions, type PriorWeight } from "./logLinear";
export { createPolicy, type PolicyOptions } from "./create";
export { NeuralPolicy, type NeuralOptions } from "./neural/neuralPolicy";
export type { Compute } from "./neural/selfTest";
export { imitate, type ImitateOptions } from "./imitate";
