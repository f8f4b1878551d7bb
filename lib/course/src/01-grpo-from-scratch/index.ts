export { tokensOf, type TokenCell } from "./tokens";
export { drawEnds } from "./drawEnds";
export { drawGrpo } from "./drawGrpo";
export { grpoArms } from "./arms";
