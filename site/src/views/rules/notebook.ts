import { inNotebook } from "../shared/inNotebook";
import { cellSettings, cellView, settingsIn, type RuleCell } from "./cell";
import type { Stored } from "./stored";

/** Made when the module is built. */
declare const RULE_CELLS: readonly RuleCell[];
declare const RULE_CURVES: Stored;

const names = RULE_CELLS.map(({ name }) => name);
export default inNotebook(cellView(RULE_CELLS, RULE_CURVES), cellSettings(names), "rule", settingsIn);
