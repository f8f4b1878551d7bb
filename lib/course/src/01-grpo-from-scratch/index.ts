export { tokensOf, type TokenCell } from "./tokens";
export { drawClimb } from "./drawClimb";
export { drawEnds } from "./drawEnds";
export { drawGrpo } from "./drawGrpo";
export { drawPasses, type Passes } from "./drawPasses";
export { everyPass } from "./everyPass";
export { historiesOf } from "./historiesOf";
export { grpoArms } from "./arms";
