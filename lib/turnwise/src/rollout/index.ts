export type { Batch } from "../batch/batch";
export { collect } from "./collect";
export { selectTrajectories } from "../batch/select";
export { scriptedBatch } from "./scripted";
export { answersOf, withRetrieved } from "./retrieved";
export { checkPolicy } from "./checkPolicy/checkPolicy";
