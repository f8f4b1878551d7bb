type Callback = (...given: unknown[]) => void;

// A browser's functions refuse to be called as methods of another object than the global one.
const native = {
  setTimeout: globalThis.setTimeout as unknown as (run: Callback, ms?: number) => number,
  setInterval: globalThis.setInterval as unknown as (run: Callback, ms?: number) => number,
  clearTimeout: globalThis.clearTimeout.bind(globalThis) as unknown as (handle: number) => void,
};

/** Handle that would keep a process of Node alive; a page stays open in any case. */
class Held {
  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

/** A timer as Node gives it: a browser gives a number. */
class Timeout extends Held {
  private handle: number;

  constructor(
    private readonly run: Callback,
    private readonly ms: number,
    private readonly repeats: boolean,
  ) {
    super();
    this.handle = this.start();
  }

  private start(): number {
    return (this.repeats ? native.setInterval : native.setTimeout)(this.run, this.ms);
  }

  refresh(): this {
    this.close();
    this.handle = this.start();
    return this;
  }

  close(): this {
    native.clearTimeout(this.handle);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.handle;
  }
}

export const setTimeout = (run: Callback, ms = 1, ...given: unknown[]): Timeout =>
  new Timeout(() => run(...given), ms, false);

export const setInterval = (run: Callback, ms = 1, ...given: unknown[]): Timeout =>
  new Timeout(() => run(...given), ms, true);

export function clearTimeout(timer: unknown): void {
  if (timer instanceof Timeout) timer.close();
  else if (timer !== undefined && timer !== null) native.clearTimeout(Number(timer));
}

export const clearInterval = (timer: unknown): void => clearTimeout(timer);

/** Callback that runs as soon as the event loop is free: a timer would wait for four milliseconds. */
class Immediate extends Held {
  canceled = false;

  constructor(readonly run: () => void) {
    super();
  }
}

const waiting: Immediate[] = [];
let channel: InstanceType<typeof MessageChannel> | undefined;

export function setImmediate(run: Callback, ...given: unknown[]): Immediate {
  if (!channel) {
    channel = new MessageChannel();
    (channel.port1 as unknown as { onmessage: () => void }).onmessage = () => {
      const next = waiting.shift();
      if (next?.canceled === false) next.run();
    };
  }
  const immediate = new Immediate(() => run(...given));
  waiting.push(immediate);
  channel.port2.postMessage(0);
  return immediate;
}

export function clearImmediate(immediate: unknown): void {
  if (immediate instanceof Immediate) immediate.canceled = true;
}
