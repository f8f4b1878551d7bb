import { checkCard, type CheckRow } from "../../base/checkCard";
import { displaySymbol, type MimeBundle } from "../../base/display";

/** Result of imitating a teacher. */
export class Imitation {
  constructor(
    /** Mean of -log pi(teacher's token) before each step, nats. */
    readonly losses: readonly number[],
    /** The teacher's turns. */
    readonly turns: number,
    /** The teacher's tokens. */
    readonly tokens: number,
    /** The number of steps that was asked for; fewer were taken if it was stopped. */
    readonly steps: number,
  ) {}

  /** Whether it was stopped before its last step. */
  get stopped(): boolean {
    return this.losses.length < this.steps;
  }

  /** The same as text. */
  toString(): string {
    return this.#card().toString();
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return this.#card()[displaySymbol]();
  }

  #card() {
    const { losses, steps } = this;
    const nats = (loss: number | undefined): string => (loss === undefined ? "" : `${loss.toFixed(2)} nats`);
    const rows: CheckRow[] = [
      {
        name: "steps",
        ok: null,
        figure: this.stopped ? `${losses.length} of ${steps}, then stopped` : `${steps}`,
      },
      { name: "loss before the first step", ok: null, figure: nats(losses[0]) },
      { name: "loss before the last step", ok: null, figure: nats(losses.at(-1)) },
    ];
    const about = `${this.turns} turns of the teacher, ${this.tokens} tokens; the loss is the mean of -log pi(token)`;
    return checkCard({ title: "Imitation", about, rows });
  }
}
