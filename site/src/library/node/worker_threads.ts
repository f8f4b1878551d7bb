/** Replacement of Node's `worker_threads` in cells of a page, where `sweep` and `trainSeeds` start workers themselves. */
export const isMainThread = true;
export const parentPort = null;
export const workerData = null;
export const threadId = 0;
const { MessageChannel: Channel, MessagePort: Port } = globalThis as unknown as Readonly<
  Record<"MessageChannel" | "MessagePort", unknown>
>;
export { Channel as MessageChannel, Port as MessagePort };

/** A page's worker is a script with a URL, not a file of Node. */
export function Worker(): never {
  throw new RangeError(
    "Cannot start a worker thread: that needs Node.js. In a page, use sweep(...) or trainSeeds(...), or a Web Worker.",
  );
}

export default {
  isMainThread,
  parentPort,
  workerData,
  threadId,
  MessageChannel: Channel,
  MessagePort: Port,
  Worker,
};
