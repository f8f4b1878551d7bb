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
  /** Ends work that would otherwise go on. */
  stop: (() => void) | undefined;
  /** Set once the trainer has been asked to stop: the wait ends with this error when the promise settles. */
  ending?: Error;
  reject(error: Error): void;
}

/** A method of this name is called when a wait for its object is interrupted, so that its work ends, too. */
const stopSymbol = Symbol.for("turnwise.stop");

/** The marks of a cell that stop it. */
export class Interrupts {
  private readonly waiting = new Set<Waiting>();

  constructor(
    private readonly state: Int32Array,
    private readonly currentCell: () => string,
    private readonly setCell: (cell: string) => void,
    private readonly stopTimers: (cell: string | undefined) => void,
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
    for (const entry of this.waiting) {
      if (cell !== undefined && entry.cell !== cell) continue;
      if (entry.trainer && !o.force && !entry.ending) {
        entry.ending = error;
        stopTrainer(entry.trainer);
        asked = true;
        continue;
      }
      this.waiting.delete(entry);
      if (entry.trainer) abandonTraining(entry.trainer);
      entry.reject(error);
      entry.stop?.();
    }
    // A library that has just been asked to stop may need its timers to notice.
    if (!asked) this.stopTimers(cell);
  }

  private take(): never {
    this.state[slot.stop] = 2;
    const error = new KernelInterrupt();
    this.wake(this.currentCell(), error);
    throw error;
  }
}

function stopOf(value: unknown): (() => void) | undefined {
  const stop = (value as { [stopSymbol]?: unknown } | null | undefined)?.[stopSymbol];
  return typeof stop === "function" ? () => void stop.call(value) : undefined;
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
