export { environmentRun, worlds } from "./environmentRun";
export { environmentReference, environmentTable, withEnvironmentTable } from "./environmentTable";
export { matrixWorlds, misfit, policyColumns, policyRun } from "./policyRun";
export { policyTable, withPolicyTable } from "./policyTable";
