import { SafeMap, SafeSet, SafeWeakMap } from "./safe-collections.js";

// Held here, as a cell may replace it.
const { apply } = Reflect;

/** The name of `promisify.custom` of Node's `util`. */
const promisified = Symbol.for("nodejs.util.promisify.custom");

type Callback = (...args: unknown[]) => void;
type Handle = NodeJS.Timeout | NodeJS.Immediate;

/** Timers that remember the cell that set them: their output goes there, and an interrupt cancels them. */
export class CellTimers {
  private readonly byCell = new SafeMap<string, Set<Handle>>();
  /** Node's own, which cancel whatever a cell has made of the global ones. */
  private own: Pick<typeof globalThis, "clearTimeout" | "clearImmediate"> = globalThis;
  private readonly cellOf = new SafeWeakMap<object, string>();

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
    this.own = { clearTimeout: original.clearTimeout, clearImmediate: original.clearImmediate };
    const once = (
      set: (callback: Callback, ms?: number) => Handle,
      callback: Callback,
      ms: number | undefined,
      args: unknown[],
    ): Handle => {
      if (typeof callback !== "function") return set(callback, ms);
      const cell = this.currentCell();
      const handle: Handle = set(() => {
        this.forget(handle);
        this.setCell(cell);
        apply(callback, undefined, args);
      }, ms);
      return this.remember(handle, cell);
    };
    const setTimeout = (callback: Callback, ms?: number, ...args: unknown[]): Handle =>
      once(original.setTimeout, callback, ms, args);
    const setImmediate = (callback: Callback, ...args: unknown[]): Handle =>
      once((run) => original.setImmediate(run), callback, undefined, args);
    const setInterval = (callback: Callback, ms?: number, ...args: unknown[]): Handle => {
      const cell = this.currentCell();
      const run = (): void => {
        this.setCell(cell);
        apply(callback, undefined, args);
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
    const cells: string[] = [];
    this.byCell.forEach((_handles, cell) => (cells[cells.length] = cell));
    return cells;
  }

  /** Cancels the timers of one cell, or of all. */
  cancel(cell: string | undefined): void {
    this.byCell.forEach((handles, name) => {
      if (cell !== undefined && name !== cell) return;
      handles.forEach((handle) => {
        if ("hasRef" in handle && "refresh" in handle) this.own.clearTimeout(handle);
        else this.own.clearImmediate(handle as NodeJS.Immediate);
      });
      this.byCell.delete(name);
    });
  }

  private remember(handle: Handle, cell: string): Handle {
    this.cellOf.set(handle, cell);
    let handles = this.byCell.get(cell);
    if (!handles) this.byCell.set(cell, (handles = new SafeSet()));
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
