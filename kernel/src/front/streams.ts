type StreamName = "stdout" | "stderr";

interface Pending {
  cell: string;
  name: StreamName;
  parts: string[];
  size: number;
}

const gatherMs = 30;
const largestMessage = 512 * 1024;

/** Limits of the output that cells print; the values may change. */
export interface StreamLimits {
  readonly burst: number;
  readonly perSecond: number;
  readonly tail: number;
  readonly now?: () => number;
}

/**
 * Gathers what cells print into a few messages.
 *
 * A notebook server drops the output of a kernel that sends more than about a thousand messages or a megabyte a
 * second. So lines are gathered for 30 ms; of a stream that exceeds the limit for longer than a burst,
 * the head and the newest characters are shown, and the rest is counted and replaced with a note.
 */
export class Streams {
  private pending: Pending | undefined;
  private timer: NodeJS.Timeout | undefined;
  private budget: number;
  private refilledAt: number;
  private held: (Pending & { dropped: number }) | undefined;

  constructor(
    private readonly publish: (cell: string, name: StreamName, text: string) => void,
    private readonly o: StreamLimits,
    /** File that keeps the complete output of a cell, if any; called when something is omitted. */
    private readonly keptIn: (cell: string) => string | undefined = () => undefined,
  ) {
    this.budget = o.burst;
    this.refilledAt = this.now();
  }

  write(cell: string, name: StreamName, text: string): void {
    if (this.pending && (this.pending.cell !== cell || this.pending.name !== name)) this.gathered();
    this.pending ??= { cell, name, parts: [], size: 0 };
    this.pending.parts.push(text);
    this.pending.size += text.length;
    if (this.pending.size >= largestMessage) this.gathered();
    else if (this.timer === undefined) this.timer = setTimeout(() => this.tick(), gatherMs);
  }

  /** Sends what has been gathered, before something else is sent that must come after it. */
  flush(): void {
    this.gathered();
    this.release(true);
  }

  /** A new cell starts with a full allowance, as the server starts counting again when a kernel becomes idle. */
  refill(): void {
    this.budget = this.o.burst;
    this.refilledAt = this.now();
  }

  private tick(): void {
    this.timer = undefined;
    this.gathered();
    this.release(false);
    if (this.held) this.timer = setTimeout(() => this.tick(), gatherMs * 10);
  }

  private gathered(): void {
    const { pending } = this;
    if (!pending) return;
    this.pending = undefined;
    const text = pending.parts.join("");
    this.earn();
    if (!this.held && text.length <= this.budget) {
      this.budget -= text.length;
      this.publish(pending.cell, pending.name, text);
      return;
    }
    const head = this.held ? "" : headOf(text, Math.floor(this.budget));
    if (head !== "") {
      this.budget -= head.length;
      this.publish(pending.cell, pending.name, head);
    }
    this.hold(pending, text.slice(head.length));
  }

  private hold(pending: Pending, text: string): void {
    if (this.held && (this.held.cell !== pending.cell || this.held.name !== pending.name)) this.release(true);
    this.held ??= { ...pending, parts: [], size: 0, dropped: 0 };
    const { held } = this;
    const kept = text.length > this.o.tail ? text.slice(-this.o.tail) : text;
    held.dropped += text.length - kept.length;
    held.parts.push(kept);
    held.size += kept.length;
    while (held.size > this.o.tail && held.parts.length > 1) {
      const first = held.parts.shift()!;
      held.size -= first.length;
      held.dropped += first.length;
    }
  }

  /** Sends the held tail if the allowance covers it, or in any case. */
  private release(always: boolean): void {
    const { held } = this;
    if (!held) return;
    this.earn();
    if (!always && this.budget < held.size) return;
    this.held = undefined;
    this.budget = Math.max(0, this.budget - held.size);
    const note = held.dropped > 0 ? this.note(held) : "";
    this.publish(held.cell, held.name, note + held.parts.join(""));
  }

  private note({ cell, dropped }: { cell: string; dropped: number }): string {
    const path = this.keptIn(cell);
    const where = path === undefined ? "" : `; all of it is in ${path}`;
    return `\n[${dropped} characters were left out here: the cell printed more than a notebook can take${where}]\n`;
  }

  private earn(): void {
    const now = this.now();
    this.budget = Math.min(this.o.burst, this.budget + ((now - this.refilledAt) / 1_000) * this.o.perSecond);
    this.refilledAt = now;
  }

  private now(): number {
    return this.o.now ? this.o.now() : performance.now();
  }
}

/** The first lines of a text that fit. */
function headOf(text: string, room: number): string {
  const end = text.lastIndexOf("\n", room - 1) + 1;
  return text.slice(0, end > 0 || room < 1 ? end : room);
}
