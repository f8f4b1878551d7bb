import { refused } from "../errors.js";

/** Replacement of Node's `perf_hooks` in cells of a page: the browser's own clock. */
export const { performance } = globalThis;
export const { PerformanceObserver } = globalThis as unknown as Readonly<Record<string, unknown>>;

const unseen = ": that needs Node.js. Use performance.now().";
export const monitorEventLoopDelay = refused(`measure the event loop${unseen}`);
export const createHistogram = refused(`make a histogram${unseen}`);

export default { performance, PerformanceObserver, monitorEventLoopDelay, createHistogram };
