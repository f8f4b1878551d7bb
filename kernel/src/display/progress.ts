import { displaySymbol } from "./bundle.js";
import type { MimeBundle } from "../protocol/message.js";
import { escapeHtml } from "./html.js";

const shortestGapMs = 100;
let counter = 0;

/** A progress bar below a cell; it also moves while a loop blocks. */
export class Progress {
  private readonly id = `progress-${process.pid}-${++counter}`;
  private readonly startedAt = performance.now();
  private sentAt = -Infinity;
  private done = 0;

  /** @throws {RangeError} if `total` is negative or not a number */
  constructor(
    readonly total: number,
    private readonly label: string,
    private readonly display: (value: unknown, o: { id: string; update?: boolean }) => void,
  ) {
    if (!(total >= 0)) throw new RangeError(`Cannot show progress: total must be at least 0, got ${total}.`);
    this.send(false);
  }

  /** The number of finished steps. */
  get value(): number {
    return this.done;
  }

  /** Sets the number of finished steps; `label` replaces the text beside the bar. */
  set(value: number, label = ""): void {
    this.done = value;
    const last = value >= this.total;
    if (last || performance.now() - this.sentAt >= shortestGapMs) this.send(true, label);
  }

  /** Advances by one step, or by several. */
  tick(steps = 1, label = ""): void {
    this.set(this.done + steps, label);
  }

  private send(update: boolean, note = ""): void {
    this.sentAt = performance.now();
    const seconds = (this.sentAt - this.startedAt) / 1_000;
    const text = [this.label, `${this.done}/${this.total}`, `${seconds.toFixed(1)} s`, note]
      .filter((part) => part !== "")
      .join("  ");
    const bundle: MimeBundle = {
      "text/html": `<progress value="${this.done}" max="${this.total}"></progress> ${escapeHtml(text)}`,
      "text/plain": text,
    };
    this.display({ [displaySymbol]: () => bundle }, { id: this.id, update });
  }
}
