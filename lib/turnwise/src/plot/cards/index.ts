export { cardOf } from "./cardOf";
export { helpSource } from "./topics";
