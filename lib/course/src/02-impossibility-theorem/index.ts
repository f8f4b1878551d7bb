export { impossibilityClaims } from "./claims";
export { drawDrift } from "./drawDrift";
export { drawFalls } from "./drawFalls";
export { drawOffset } from "./drawOffset";
export { drawOneSweep } from "./drawOneSweep";
export { drawPush } from "./drawPush";
export { drawSuspects } from "./drawSuspects";
export { drawToolField } from "./drawToolField";
export { gridJob, gridTask, type GridCount } from "./gridJob";
