export { cardOf } from "./cardOf";
export { helpSource } from "./topics";
export { optimumAtAGlance } from "../../exact/worldCard";
