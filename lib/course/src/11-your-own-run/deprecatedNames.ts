/** Names of an earlier version, for one minor version more: each is its present namesake. */
/** @deprecated Use `drawTrlComparison`. @public */
export { drawTrlComparison as drawBesideOurs } from "./drawTrlComparison";
/** @deprecated Use `drawAlarmOutcomes`. @public */
export { drawAlarmOutcomes as drawWhatFollows } from "./drawAlarmOutcomes";
/** @deprecated Use `drawClaimTransfer`. @public */
export { drawClaimTransfer as drawWhatSurvives } from "./drawClaimTransfer";
