type Callback = () => void;

/**
 * Dawn looks whether the GPU has finished in callbacks that it hands to `setImmediate`, one at a time. The pump keeps the
 * one that waits, so that a program which cannot wait for the event loop may call it at once.
 */
export class Pump {
  #waiting: Callback | undefined;

  /** Runs what may make Dawn hand over a callback, with a `setImmediate` that keeps it. */
  around<X>(f: () => X): X {
    const { setImmediate: real } = globalThis;
    const keep = (callback: Callback): object => {
      this.#waiting = callback;
      return real(() => {
        if (this.#waiting === callback) this.poll();
      });
    };
    globalThis.setImmediate = keep as unknown as typeof real;
    try {
      return f();
    } finally {
      globalThis.setImmediate = real;
    }
  }

  /** Lets Dawn look now; false if it waits for nothing. */
  poll(): boolean {
    const callback = this.#waiting;
    if (callback === undefined) return false;
    this.#waiting = undefined;
    this.around(callback);
    return true;
  }
}
