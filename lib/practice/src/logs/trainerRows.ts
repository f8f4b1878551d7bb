import type { Framework } from "./framework";
import { stepOf, valuesOf } from "./names";
import { OptimizerSteps } from "./optimizerSteps";
import { endOfBar, tellsSteps, withoutBar } from "./progressBar";
import type { Row } from "./row";
import { TrainerLines } from "./trainerLines";

/** Chooses the lines of the trainer, and finds the step of those that do not name it. */
export class TrainerRows {
  /** Dicts that were printed by others than the trainer. */
  passedOver = 0;
  /** The end of the progress bar, where it does not tell the steps. */
  barEnd: number | undefined;
  readonly #names: Framework;
  readonly #lines: TrainerLines | undefined;
  readonly #steps: OptimizerSteps | undefined;
  readonly #byBar: boolean;

  /**
   * @param first the lines that are known so far
   * @param knows whether a name stands for a metric
   * @param how `console`: whether others may have printed there; `whole`: whether `first` is the whole log
   */
  constructor(
    names: Framework,
    first: readonly Row[],
    knows: (name: string) => boolean,
    how: { readonly console: boolean; readonly whole: boolean },
  ) {
    this.#names = names;
    const rows = first.map((row) => valuesOf(row, names));
    this.#steps = OptimizerSteps.of(names);
    if (how.whole) this.#steps?.learn(rows);
    this.#lines = how.console ? new TrainerLines(names, knows) : undefined;
    rows.forEach((row) => this.#lines?.lookAt(withoutBar(row)));
    const own = rows.filter(
      (row) => Object.keys(row).some(knows) && this.#lines?.isOne(withoutBar(row)) !== false,
    );
    this.#byBar = own.every((row) => stepOf(withoutBar(row), names) === undefined) && tellsSteps(own);
  }

  /** The most optimizer steps that a rollout had, where a log numbers the two apart. */
  get optimizerSteps(): number {
    return this.#steps?.most ?? 0;
  }

  /** The values of a line; undefined for a line of others. */
  next(row: Row): Row | undefined {
    const values = valuesOf(row, this.#names);
    const bare = withoutBar(values);
    if (this.#lines?.isOne(bare) === false) {
      this.passedOver += 1;
      return undefined;
    }
    if (this.#byBar) return values;
    this.barEnd = endOfBar(values) ?? this.barEnd;
    return this.#steps?.next(bare) ?? bare;
  }
}
