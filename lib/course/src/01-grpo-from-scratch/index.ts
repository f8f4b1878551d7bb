export { tokensOf, type TokenCell } from "./tokens";
export { drawEnds } from "./drawEnds";
export { drawGrpo } from "./drawGrpo";
export { drawPasses, type Passes } from "./drawPasses";
export { grpoArms } from "./arms";
