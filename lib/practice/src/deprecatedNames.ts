/** Names of an earlier version, for one minor version more: each is its present namesake. */
/** @deprecated Use `applyRules`. */
export { applyRules as tryRules } from "./traces/applyRules";
/** @deprecated Use `alarmTrackRecord`. */
export { alarmTrackRecord as worthOf } from "./report/worth";
