import { isObject, isThenable, iteratorOf } from "./awaited.js";
import { SafeMap, SafeSet } from "./safe-collections.js";
import { slot } from "./state.js";
import { abandonTraining, asTrainer, stopTrainer, type Trainer } from "./trainer.js";

/** Thrown into a cell that is interrupted; a cell may catch it, and its `finally` blocks run. */
export class KernelInterrupt extends Error {
  override name = "KernelInterrupt";
  constructor(message = "The cell was interrupted") {
    super(message);
  }
}

// Held here, as a cell may replace them while it waits.
const Waits = Promise;
const { apply } = Reflect;

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

// What is older than that counts as the oldest.
const keptSerials = 2_000;

/** The marks of a cell that stop it. */
export class Interrupts {
  private readonly waiting = new SafeSet<Waiting>();
  /** Interrupt that stops a cell that still got the awaited value, at its next mark or at its end. */
  private owed: { readonly cell: string; readonly error: Error } | undefined;

  /** When a cell started: the serial numbers of those that may still have something under way. */
  private readonly serials = new SafeMap<string, number>();

  /** Listeners to an interrupt of the cell in which they were added. */
  private readonly listeners = new SafeSet<{ readonly cell: string; readonly run: () => void }>();

  constructor(
    private readonly state: Int32Array,
    private readonly currentCell: () => string,
    private readonly setCell: (cell: string) => void,
    private readonly stopTimers: (cell: string | undefined) => void,
    private readonly cellsWithTimers: () => readonly string[],
    /** Called with every error that an `await` meets, with the place of that. */
    private readonly onRejected: (error: unknown, site: string) => void = () => undefined,
    /** Called before each wait: sees to it that it can end. */
    private readonly prepare: () => void = () => undefined,
    /** The cell that runs, whose interrupt is not for what earlier cells have left behind. */
    private readonly runningCell: () => string | undefined = () => undefined,
  ) {}

  /** The mark at a loop head. Plain reads suffice: at worst the loop sees the flag a few turns later. */
  readonly tick = (): void => {
    if (this.state[slot.stop] === 1) this.take();
  };

  /**
   * The mark around an awaited value: the wait ends early when the cell is interrupted. `owner` is the object whose
   * method has returned the value, and `site` the place of the `await`.
   */
  readonly wait = (value: unknown, owner?: unknown, site?: string): unknown => {
    if (this.state[slot.stop] === 1) this.take();
    // Whether an object can be waited for is asked by the await itself, once: a getter of the cell may tell.
    if (!isObject(value)) return value;
    this.prepare();
    const cell = this.currentCell();
    return new Waits((resolve, reject) => {
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
      void follow(
        value,
        (result) => {
          settle();
          resolve(result);
        },
        (error) => {
          settle();
          this.setCell(cell);
          if (site !== undefined) this.onRejected(error, site);
          reject(error as Error);
        },
      );
    });
  };

  /** The mark around what `for await` runs over: it asks of the iterator what the loop asks, at the same time. */
  readonly iterate = (source: unknown): unknown => {
    const wait = this.wait;
    return {
      [Symbol.asyncIterator]() {
        const iterator = iteratorOf(source);
        const { next } = iterator;
        return {
          next: (...sent: []) => wait(next.apply(iterator, sent), source),
          // A generator that is still busy ends at its next yield; nobody needs to wait for that here.
          get return() {
            const { return: end } = iterator;
            return end && ((...sent: []) => end.apply(iterator, sent));
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

  /** A cell starts, as the one of this number. */
  begin(cell: string, serial: number): void {
    this.serials.set(cell, serial);
    if (this.serials.size > keptSerials) this.forgetSerial();
  }

  /**
   * The event loop received an interrupt: everything is woken that the running cell waits for. Where none runs, all that
   * the cells up to the one of number `started` have left behind is stopped: a later one has begun what it has since.
   */
  onMessage(cell: string | undefined, started: number): void {
    if (cell === undefined) {
      this.state[slot.stop] = 0;
      this.wakeOthers(cell, started);
    } else if (this.state[slot.stop] === 1) {
      this.state[slot.stop] = 2;
      this.wake(cell, new KernelInterrupt());
    }
  }

  /**
   * Rejects all waits and cancels the timers of a cell, or of all cells. A trainer is first asked to stop, so that it
   * ends in good order; `force` leaves it no time for that, and neither does a second call.
   */
  wake(cell: string | undefined, error: Error, o: { force?: boolean } = {}): void {
    let asked = false;
    this.listeners.forEach((listener) => {
      if (cell === undefined || listener.cell === cell) listener.run();
    });
    this.waiting.forEach((entry) => {
      if (cell !== undefined && entry.cell !== cell) return;
      if (entry.trainer && !o.force && !entry.ending) {
        entry.ending = error;
        stopTrainer(entry.trainer);
        asked = true;
        return;
      }
      // Asked for the second time, or by force, nobody waits for a value any more.
      if (endsWithValue(entry) && !o.force && !entry.owed) {
        entry.owed = error;
        asked = true;
        return;
      }
      this.waiting.delete(entry);
      if (entry.trainer) abandonTraining(entry.trainer);
      entry.reject(error);
    });
    // A library that has just been asked to stop may need its timers to notice.
    if (!asked) this.stopTimers(cell);
  }

  /** Stops what the cells up to one have left behind, and leaves the cell that runs now alone. */
  wakeOthers(running: string | undefined, started = Infinity): void {
    const cells = new SafeSet<string>();
    const timed = this.cellsWithTimers();
    // eslint-disable-next-line @typescript-eslint/prefer-for-of -- for-of asks a list for its iterator, which a cell may have replaced.
    for (let i = 0; i < timed.length; i++) cells.add(timed[i]!);
    this.waiting.forEach(({ cell }) => cells.add(cell));
    this.listeners.forEach(({ cell }) => cells.add(cell));
    cells.forEach((cell) => {
      if (cell !== running && (this.serials.get(cell) ?? 0) <= started)
        this.wake(cell, new KernelInterrupt());
    });
  }

  /** The error by which a cell that has come to its end without a mark ends after all; undefined if it owes none. */
  settle(cell: string): Error | undefined {
    const { owed } = this;
    this.owed = undefined;
    return owed?.cell === cell ? owed.error : undefined;
  }

  /** The oldest. */
  private forgetSerial(): void {
    let first: string | undefined;
    this.serials.forEach((_serial, cell) => (first ??= cell));
    this.serials.delete(first!);
  }

  /** A mark has seen the flag: throws, unless the interrupt is not for this code. */
  private take(): void {
    if (!this.isMeant()) {
      // It was sent before this cell. What it is for hears of it by a message.
      this.state[slot.stop] = 0;
      return;
    }
    const cell = this.currentCell();
    const running = this.runningCell();
    const error = new KernelInterrupt();
    if (running !== undefined && cell !== running) {
      // The flag stays, since the cell that it is for has yet to hear of it.
      if (this.state[slot.insists] !== 1) return;
      throw error;
    }
    this.state[slot.stop] = 2;
    this.owed = undefined;
    this.wake(cell, error);
    throw error;
  }

  /** Whether no cell has started since the interrupt was sent. */
  isMeant(): boolean {
    return this.state[slot.meant]! >= this.state[slot.started]!;
  }
}

function stopOf(value: unknown): (() => unknown) | undefined {
  try {
    const stop = (value as { [stopSymbol]?: unknown } | null | undefined)?.[stopSymbol];
    return typeof stop === "function" ? (): unknown => apply(stop as () => unknown, value, []) : undefined;
  } catch {
    // A proxy that throws on unknown names.
    return undefined;
  }
}

/** Hands on what an `await` of the value gives, at the moment at which it does. */
async function follow(
  value: unknown,
  done: (result: unknown) => void,
  failed: (error: unknown) => void,
): Promise<void> {
  let result: unknown;
  try {
    result = await value;
  } catch (error) {
    return failed(error);
  }
  done(result);
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
