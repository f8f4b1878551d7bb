import type { Row } from "./row";

/** The lines of one step, as one. */
export interface Step {
  readonly step: number | undefined;
  readonly values: Row;
}

/**
 * Puts lines of the same step together, also where lines of others stand between them.
 *
 * A step is given out once a line has come that is more than `late` steps ahead. Of values under the same name, the last that is
 * not null counts. Lines without a step are steps of their own.
 */
export class StepMerger {
  readonly #late: number;
  readonly #waiting = new Map<number, Record<string, unknown>>();
  #given = -Infinity;
  /** Lines that came after their step had been given out. */
  tooLate = 0;

  constructor(late: number) {
    this.#late = late;
  }

  push(step: number | undefined, values: Row): Step[] {
    if (step === undefined) return [...this.end(), { step, values }];
    if (step <= this.#given) {
      this.tooLate += 1;
      return [];
    }
    const before = this.#waiting.get(step) ?? {};
    for (const [name, value] of Object.entries(values)) {
      if (value !== null || !(name in before)) before[name] = value;
    }
    this.#waiting.set(step, before);
    return this.#upTo(step - this.#late - 1);
  }

  end(): Step[] {
    return this.#upTo(Infinity);
  }

  #upTo(last: number): Step[] {
    const steps = [...this.#waiting.keys()].filter((step) => step <= last).sort((a, b) => a - b);
    return steps.map((step) => {
      const values = this.#waiting.get(step)!;
      this.#waiting.delete(step);
      this.#given = step;
      return { step, values };
    });
  }
}
