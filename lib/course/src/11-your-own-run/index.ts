export { drawTrlComparison } from "./drawTrlComparison";
export { drawAlarmOutcomes } from "./drawAlarmOutcomes";
export { drawClaimTransfer } from "./drawClaimTransfer";
