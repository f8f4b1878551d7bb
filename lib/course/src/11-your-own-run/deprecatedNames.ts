/** Names of an earlier version, for one minor version more: each is its present namesake. */
/** @deprecated Use `drawTrlComparison`. */
export { drawTrlComparison as drawBesideOurs } from "./drawTrlComparison";
/** @deprecated Use `drawAlarmOutcomes`. */
export { drawAlarmOutcomes as drawWhatFollows } from "./drawAlarmOutcomes";
/** @deprecated Use `drawClaimTransfer`. */
export { drawClaimTransfer as drawWhatSurvives } from "./drawClaimTransfer";
