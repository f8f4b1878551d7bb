export { drawWords } from "./drawWords";
export { startHereArms } from "./arms";
