/** Names of an earlier version, for one minor version more: each is its present namesake. */
/** @deprecated Use `applyRules`. @public */
export { applyRules as tryRules } from "./traces/applyRules";
/** @deprecated Use `alarmTrackRecord`. @public */
export { alarmTrackRecord as worthOf } from "./report/worth";
