export { offPolicyClaims } from "./claims";
export { learningRates, mismatches, type OffPolicyResults } from "./results";
export { estimatorErrors, type EstimatorError, type EstimatorOptions } from "./estimatorError";
export { sampledSpread, walkSpread, type RatioSpread } from "./randomWalk";
export { pooledLogRatio, ratioForms, type RatioForm } from "./ratioForm";
export { reuseOneBatch, type ReuseStep } from "./reuse";
