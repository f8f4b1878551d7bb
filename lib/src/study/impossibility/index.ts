export { impossibilityClaims, type ImpossibilityResults } from "./claims";
export { gridJob, gridTask, type GridCount } from "./gridJob";
