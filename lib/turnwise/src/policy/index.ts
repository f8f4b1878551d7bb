export * from "./policy";
export { TabularPolicy } from "./tabular";
export { LogLinearPolicy } from "./logLinear";
export { createPolicy, type PolicyOptions } from "./create";
export { NeuralPolicy } from "./neural/neuralPolicy";
export type { LogLinearOptions, NeuralOptions } from "./options";
export { policyFields } from "./options";
export { toolChainPolicy } from "./toolChainPolicy";
export { autodiffPolicy } from "./autodiff/autodiffPolicy";
