import { promiseHooks } from "node:v8";
import { SafeSet } from "../safe-collections.js";

/** Heap room needed, because V8 ends the process if its inspector has to report within a garbage collection. */
const needed = Number(process.versions.node.split(".")[0]) >= 24;

/**
 * The promises of scripts that V8's inspector waits for.
 *
 * A termination drops the promise job that would go on with a script, and with it the last reference to its promise. Once that
 * is collected, the inspector reports so by a call into JavaScript, which V8 allows less and less in the middle of a
 * collection: from Node 24 on it ends the process. So nothing that is waited for may be collected.
 */
export class HeldPromises {
  private readonly held = new SafeSet<unknown>();

  /** Starts a script, and holds the promise that it makes first, its own, until it calls `release`. */
  during(start: (release: () => void) => void): void {
    if (!needed) return start(() => undefined);
    let own: unknown;
    let isOver = false;
    const stop = promiseHooks.onInit((promise) => {
      stop();
      if (isOver) return;
      own ??= promise;
      this.held.add(own);
    });
    try {
      start(() => {
        isOver = true;
        this.held.delete(own);
      });
    } finally {
      stop();
    }
  }

  /** Lets all go, once the inspector waits for none of them any more. */
  clear(): void {
    this.held.clear();
  }
}
