/** The name of `promisify.custom` of Node's `util`. */
const promisified = Symbol.for("nodejs.util.promisify.custom");

type Callback = (...args: unknown[]) => void;
type Handle = NodeJS.Timeout | NodeJS.Immediate;

/** Timers that remember the cell that set them: their output goes there, and an interrupt cancels them. */
export class CellTimers {
  private readonly byCell = new Map<string, Set<Handle>>();
  private readonly cellOf = new WeakMap<object, string>();

  constructor(
    private readonly currentCell: () => string,
    private readonly setCell: (cell: string) => void,
  ) {}

  /** Replaces the global timer functions. */
  install(): void {
    const original = {
      setTimeout: globalThis.setTimeout,
      setInterval: globalThis.setInterval,
      setImmediate: globalThis.setImmediate,
      clearTimeout: globalThis.clearTimeout,
      clearInterval: globalThis.clearInterval,
      clearImmediate: globalThis.clearImmediate,
      queueMicrotask: globalThis.queueMicrotask.bind(globalThis),
    };
    const once =
      (set: (callback: Callback, ms?: number) => Handle) =>
      (callback: Callback, ms?: number, ...args: unknown[]): Handle => {
        if (typeof callback !== "function") return set(callback, ms);
        const cell = this.currentCell();
        const handle: Handle = set(() => {
          this.forget(handle);
          this.setCell(cell);
          callback(...args);
        }, ms);
        return this.remember(handle, cell);
      };
    const setTimeout = once(original.setTimeout);
    const immediate = once((callback) => original.setImmediate(callback));
    const setImmediate = (callback: Callback, ...args: unknown[]): Handle =>
      immediate(callback, undefined, ...args);
    const setInterval = (callback: Callback, ms?: number, ...args: unknown[]): Handle => {
      const cell = this.currentCell();
      const run = (): void => {
        this.setCell(cell);
        callback(...args);
      };
      return this.remember(original.setInterval(run, ms), cell);
    };
    const clear =
      (how: (handle: never) => void) =>
      (handle: unknown): void => {
        if (typeof handle === "object" && handle !== null) this.forget(handle as Handle);
        how(handle as never);
      };
    Object.assign(globalThis, {
      setTimeout,
      setInterval,
      setImmediate,
      clearTimeout: clear(original.clearTimeout),
      clearInterval: clear(original.clearInterval),
      clearImmediate: clear(original.clearImmediate),
      queueMicrotask: (callback: () => void) => {
        const cell = this.currentCell();
        original.queueMicrotask(() => {
          this.setCell(cell);
          callback();
        });
      },
    });
    // util.promisify(setTimeout) is an idiom; it must pass through the replaced functions as well.
    Object.defineProperty(setTimeout, promisified, {
      value: (ms?: number, value?: unknown) => new Promise((resolve) => setTimeout(() => resolve(value), ms)),
    });
    Object.defineProperty(setImmediate, promisified, {
      value: (value?: unknown) => new Promise((resolve) => setImmediate(() => resolve(value))),
    });
  }

  /** The cells that have timers. */
  cells(): string[] {
    return [...this.byCell.keys()];
  }

  /** Cancels the timers of one cell, or of all. */
  cancel(cell: string | undefined): void {
    const cells = cell === undefined ? [...this.byCell.keys()] : [cell];
    for (const name of cells) {
      for (const handle of this.byCell.get(name) ?? []) {
        if ("hasRef" in handle && "refresh" in handle) clearTimeout(handle);
        else clearImmediate(handle as NodeJS.Immediate);
      }
      this.byCell.delete(name);
    }
  }

  private remember(handle: Handle, cell: string): Handle {
    this.cellOf.set(handle, cell);
    let handles = this.byCell.get(cell);
    if (!handles) this.byCell.set(cell, (handles = new Set()));
    handles.add(handle);
    return handle;
  }

  private forget(handle: Handle): void {
    const cell = this.cellOf.get(handle);
    if (cell === undefined) return;
    const handles = this.byCell.get(cell);
    handles?.delete(handle);
    if (handles?.size === 0) this.byCell.delete(cell);
  }
}
