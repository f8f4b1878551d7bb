export {
  orderAblation,
  orderArms,
  orderRecipe,
  type OrderAblationOptions,
  type OrderArm,
  type OrderResult,
  type OrderWorld,
} from "./updateOrder/orderAblation";
export { orderStudy, orderTask, type OrderStudyPart } from "./updateOrder/orderStudy";
export { storedTable, type StoredRow } from "./storedTable";
export * from "./echoTrap";
export {
  environmentBudget,
  environmentRecipe,
  environmentRun,
  worlds,
  type EnvironmentResult,
  type EnvironmentRule,
  type World,
} from "./worlds/environmentRun";
export * from "./offPolicy";
export * from "./worlds/policyRun";
export * from "./worlds/policyTable";
export * from "./rewardSignal";
export * from "./agenticPomdp";
export {
  environmentReference,
  environmentTable,
  withEnvironmentTable,
  type EnvironmentReference,
  type EnvironmentRow,
} from "./worlds/environmentTable";
