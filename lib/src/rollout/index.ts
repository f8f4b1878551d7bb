export type { Batch } from "../batch/batch";
export { collect, type CollectOptions } from "./collect";
export { concatBatches, selectRows } from "../batch/select";
export { scriptedBatch } from "./scripted";
export { withRetrieved } from "./retrieved";
