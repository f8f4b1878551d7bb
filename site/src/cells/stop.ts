import { textAtOnce } from "../library/siteFiles.js";
import { slot, stateBytes } from "turnwise-kernel/internal/session/state";
import type { CellsStart } from "./web.js";

const pollMs = 250;
/** A loop of plain arithmetic comes by so often that looking at the clock each time would be most of its work. */
const longestRest = 255;
/** So long, V8 waits on Node before it ends a cell. */
const graceMs = 300;

/** Signal by which an interrupt reaches a cell that computes: shared memory, or regular requests to the page's service worker. */
export class StopSignal {
  readonly state: Int32Array;
  /** Number of cells the page has sent. */
  cells = 0;
  private polledAt = 0;
  private lookedAt = 0;
  /** Number of marks between two looks at the clock: more if they follow each other within a fraction of a millisecond. */
  private rest = 0;
  private passed = 0;
  private looks = 0;

  constructor(private readonly o: Pick<CellsStart, "flag" | "poll">) {
    this.state = new Int32Array(o.flag ?? new ArrayBuffer(stateBytes));
  }

  /** A cell begins; the interrupt that is meant for it may have come before. */
  readonly begin = (): void => {
    if (this.state[slot.meant] === this.cells) this.state[slot.stop] = 1;
    this.polledAt = performance.now();
  };

  /** The mark of a loop. */
  mark(tick: () => void): () => void {
    const { poll, flag } = this.o;
    if (!flag && poll === undefined) return tick;
    return () => {
      if (!flag) this.ask(poll!);
      if (this.isWanted()) tick();
    };
  }

  /**
   * An engine may read shared memory once before a loop in which nothing changes it, as Firefox does for an empty one; an atomic look
   * now and then keeps it from that, and costs little.
   */
  private isWanted(): boolean {
    if (this.state[slot.stop] === 1) return true;
    return (++this.looks & 255) === 0 && Atomics.load(this.state, slot.stop) === 1;
  }

  /** The mark of the library's loops: as on Node, a run that hears of the interrupt has some time to keep what it has. */
  libraryMark(tick: () => void): () => void {
    const { poll, flag } = this.o;
    let since = 0;
    return () => {
      if (!flag && poll !== undefined) this.ask(poll);
      if (!this.isWanted()) {
        since = 0;
        return;
      }
      since ||= performance.now();
      if (performance.now() - since < graceMs) return;
      since = 0;
      tick();
    };
  }

  private ask(poll: string): void {
    if (this.passed++ < this.rest) return;
    this.passed = 0;
    const now = performance.now();
    this.rest = now - this.lookedAt < 0.5 ? Math.min(2 * this.rest + 1, longestRest) : 0;
    this.lookedAt = now;
    if (now - this.polledAt < pollMs) return;
    const answer = textAtOnce(poll);
    this.polledAt = performance.now();
    // What was meant for an earlier cell is not for this one.
    if (!answer || !(Number(answer) >= this.cells)) return;
    this.state[slot.meant] = Number(answer);
    this.state[slot.stop] = 1;
  }

  /** The message of an interrupt, which the event loop hears at an `await`; true if it is for the cell that runs. */
  hear(serial: number, isRunning: boolean): boolean {
    if (serial < this.cells) return false;
    this.state[slot.meant] = serial;
    // 2: a mark has noticed it already.
    if (isRunning && this.state[slot.stop] === 0) this.state[slot.stop] = 1;
    return true;
  }
}
