export { drawWords } from "./drawWords";
export { startHereArms } from "./arms";
export { nearOptimum } from "./nearOptimum";
