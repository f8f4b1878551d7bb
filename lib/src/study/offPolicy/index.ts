export {
  estimatorErrors,
  estimatorRecipe,
  type EstimatorError,
  type EstimatorOptions,
} from "./estimatorError";
export { sampledSpread, spreadOf, walkSpread, type RatioSpread } from "./randomWalk";
export { pooledLogRatio, ratioForms, type RatioForm } from "./ratioForm";
export { logRatios, reuseOneBatch, type ReuseStep } from "./reuse";
