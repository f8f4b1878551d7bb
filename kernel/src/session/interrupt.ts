import { slot } from "./state.js";
import { abandonTraining, asTrainer, stopTrainer, type Trainer } from "./trainer.js";

/** Thrown into a cell that is interrupted; a cell may catch it, and its `finally` blocks run. */
export class KernelInterrupt extends Error {
  override name = "KernelInterrupt";
  constructor(message = "The cell was interrupted") {
    super(message);
  }
}

interface Waiting {
  cell: string;
  /** The owner of the awaited promise, if it can be asked to stop. */
  trainer: Trainer | undefined;
  /** Ends work that would otherwise go on. A promise that it returns says that the awaited value comes nevertheless. */
  stop: (() => unknown) | undefined;
  /** Set once the awaited value is to be delivered: the cell stops after that, with this error. */
  owed?: Error;
  /** Set once the trainer has been asked to stop: the wait ends with this error when the promise settles. */
  ending?: Error;
  reject(error: Error): void;
}

/**
 * A method of this name is called when a wait for its object is interrupted, so that its work ends, too. If it returns a
 * promise, the wait goes on to its end: the cell gets the value, and stops after that.
 */
const stopSymbol = Symbol.for("turnwise.stop");

/** The marks of a cell that stop it. */
export class Interrupts {
  private readonly waiting = new Set<Waiting>();
  /** What stops a cell that still got the value that it was waiting for, at its next mark or at its end. */
  private owed: { readonly cell: string; readonly error: Error } | undefined;

  /** Who asked to hear of an interrupt of the cell in which they asked. */
  private readonly listeners = new Set<{ readonly cell: string; readonly run: () => void }>();

  constructor(
    private readonly state: Int32Array,
    private readonly currentCell: () => string,
    private readonly setCell: (cell: string) => void,
    private readonly stopTimers: (cell: string | undefined) => void,
    private readonly cellsWithTimers: () => Iterable<string>,
  ) {}

  /** The mark at a loop head. Plain reads suffice: at worst the loop sees the flag a few turns later. */
  readonly tick = (): void => {
    if (this.state[slot.stop] === 1) this.take();
  };

  /**
   * The mark around an awaited value: the wait ends early when the cell is interrupted. `owner` is the object whose
   * method has returned the value.
   */
  readonly wait = (value: unknown, owner?: unknown): unknown => {
    if (this.state[slot.stop] === 1) this.take();
    if (!isThenable(value)) return value;
    const cell = this.currentCell();
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        cell,
        trainer: asTrainer(owner),
        stop: stopOf(value) ?? stopOf(owner),
        reject,
      };
      this.waiting.add(entry);
      const settle = (): void => {
        this.waiting.delete(entry);
        if (entry.ending) {
          this.stopTimers(cell);
          this.setCell(cell);
          reject(entry.ending);
        }
        if (entry.owed) {
          this.stopTimers(cell);
          this.owed = { cell, error: entry.owed };
          if (this.state[slot.stop] === 2) this.state[slot.stop] = 1;
        }
      };
      value.then(
        (result) => {
          settle();
          resolve(result);
        },
        (error: unknown) => {
          settle();
          this.setCell(cell);
          reject(error as Error);
        },
      );
    });
  };

  /** The mark around what `for await` runs over. */
  readonly iterate = (source: unknown): AsyncIterable<unknown> => {
    const wait = this.wait;
    const asyncSource = source as Partial<AsyncIterable<unknown> & Iterable<unknown>>;
    return {
      [Symbol.asyncIterator]() {
        const iterator = asyncSource[Symbol.asyncIterator]?.() ?? fromSync(asyncSource[Symbol.iterator]!());
        return {
          next: () => Promise.resolve(wait(iterator.next(), source)) as Promise<IteratorResult<unknown>>,
          // A generator that is still busy ends at its next yield; nobody needs to wait for that here.
          return: (value?: unknown) => {
            const ended = iterator.return?.(value);
            return Promise.resolve(ended ?? { done: true, value });
          },
        };
      },
    };
  };

  /**
   * Calls a function when the cell that runs now is interrupted: for work that a cell awaits together with other work, as
   * with `Promise.all`. Call what it returns to end that.
   */
  listen(run: () => void): () => void {
    const listener = { cell: this.currentCell(), run };
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The event loop received an interrupt: everything that waits is woken. `cell` undefined stops all cells. */
  onMessage(cell: string | undefined): void {
    if (this.state[slot.stop] === 1 || cell === undefined) {
      this.state[slot.stop] = cell === undefined ? 0 : 2;
      this.wake(cell, new KernelInterrupt());
    }
  }

  /**
   * Rejects all waits and cancels the timers of a cell, or of all cells. A trainer is first asked to stop, so that it
   * ends in good order; `force` leaves it no time for that, and neither does a second call.
   */
  wake(cell: string | undefined, error: Error, o: { force?: boolean } = {}): void {
    let asked = false;
    for (const listener of this.listeners) {
      if (cell === undefined || listener.cell === cell) listener.run();
    }
    for (const entry of this.waiting) {
      if (cell !== undefined && entry.cell !== cell) continue;
      if (entry.trainer && !o.force && !entry.ending) {
        entry.ending = error;
        stopTrainer(entry.trainer);
        asked = true;
        continue;
      }
      // Asked for the second time, or by force, nobody waits for a value any more.
      if (endsWithValue(entry) && !o.force && !entry.owed) {
        entry.owed = error;
        asked = true;
        continue;
      }
      this.waiting.delete(entry);
      if (entry.trainer) abandonTraining(entry.trainer);
      entry.reject(error);
    }
    // A library that has just been asked to stop may need its timers to notice.
    if (!asked) this.stopTimers(cell);
  }

  /** Stops what earlier cells have left behind, and leaves the cell that runs now alone. */
  wakeOthers(running: string | undefined): void {
    const cells = new Set(this.cellsWithTimers());
    for (const { cell } of [...this.waiting, ...this.listeners]) cells.add(cell);
    for (const cell of cells) if (cell !== running) this.wake(cell, new KernelInterrupt());
  }

  /** The error by which a cell that has come to its end without a mark ends after all; undefined if it owes none. */
  settle(cell: string): Error | undefined {
    const { owed } = this;
    this.owed = undefined;
    return owed?.cell === cell ? owed.error : undefined;
  }

  private take(): never {
    this.state[slot.stop] = 2;
    this.owed = undefined;
    const error = new KernelInterrupt();
    this.wake(this.currentCell(), error);
    throw error;
  }
}

function stopOf(value: unknown): (() => unknown) | undefined {
  const stop = (value as { [stopSymbol]?: unknown } | null | undefined)?.[stopSymbol];
  return typeof stop === "function" ? (): unknown => stop.call(value) : undefined;
}

/** Ends the work that a cell waits for; true if its value comes nevertheless. */
function endsWithValue({ stop }: Waiting): boolean {
  try {
    const ended = stop?.();
    if (!isThenable(ended)) return false;
    // The awaited promise itself tells how it ends.
    ended.then(undefined, () => undefined);
    return true;
  } catch {
    return false;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

function fromSync(iterator: Iterator<unknown>): AsyncIterator<unknown> {
  const settle = async (result: IteratorResult<unknown>): Promise<IteratorResult<unknown>> => ({
    done: result.done ?? false,
    value: await result.value,
  });
  return {
    next: () => settle(iterator.next()),
    return: (value?: unknown) => settle(iterator.return?.(value) ?? { done: true, value }),
  };
}
