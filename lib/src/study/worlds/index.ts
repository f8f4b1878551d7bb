export {
  environmentRun,
  worlds,
  type EnvironmentResult,
  type EnvironmentRule,
  type World,
} from "./environmentRun";
export {
  environmentReference,
  environmentTable,
  withEnvironmentTable,
  type EnvironmentReference,
  type EnvironmentRow,
} from "./environmentTable";
export {
  matrixWorlds,
  misfit,
  policyColumns,
  policyRun,
  type MatrixWorld,
  type PolicyColumn,
  type PolicyResult,
} from "./policyRun";
export { beatsRandom, policyTable, withPolicyTable, type PolicyRow } from "./policyTable";
