export { gridJob, gridTask, type GridCount } from "./gridJob";
