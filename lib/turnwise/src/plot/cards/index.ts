export { cardOf } from "./cardOf";
export { topics } from "./topics";
