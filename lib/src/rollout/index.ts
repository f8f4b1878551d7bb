export type { Batch } from "./batch";
export { collect, type CollectOptions } from "./collect";
export { concatBatches, selectRows } from "./select";
export { scriptedBatch } from "./scripted";
export { withRetrieved } from "./retrieved";
