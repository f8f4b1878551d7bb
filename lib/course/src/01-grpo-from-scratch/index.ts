export { tokensOf, type TokenCell } from "turnwise/internal/batch/tokens";
export { drawEnds } from "./drawEnds";
export { drawGrpo } from "./drawGrpo";
export { grpoArms } from "./arms";
