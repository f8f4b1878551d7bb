export { updateOrderClaims, type UpdateOrderResults } from "./claims";
export {
  orderAblation,
  orderArms,
  orderJob,
  orderRecipe,
  type OrderAblationOptions,
  type OrderArm,
  type OrderResult,
  type OrderWorld,
} from "./orderAblation";
export { orderStudy, orderTask, type OrderStudyPart } from "./orderStudy";
export { storedOrderRuns, type OrderRun } from "./orderRuns";
