import type { Framework, TwoCounts } from "./framework";
import { isFiniteNumber, notFinite, type Row } from "./row";

/** A name's values over the optimizer steps of a rollout so far. */
interface Sum {
  readonly sum: number;
  readonly count: number;
  readonly last: number;
}

/** No trainer takes more optimizer steps than this on one rollout. */
const MOST = 1024;

/**
 * Puts the lines of optimizer steps to the rollouts that they trained on, where a log numbers the two apart: their values are the mean over
 * the steps of a rollout so far, as verl averages over its minibatches. A NaN among them remains.
 */
export class OptimizerSteps {
  readonly #names: TwoCounts;
  /** Optimizer steps for each rollout, where the numbers of a whole log tell; else lines go to the rollout before them. */
  #each: number | undefined;
  #rollout: number | undefined;
  readonly #sums = new Map<number, Map<string, Sum>>();
  /** The most optimizer steps that a rollout had. */
  most = 0;

  constructor(names: TwoCounts) {
    this.#names = names;
  }

  static of({ counts }: Framework): OptimizerSteps | undefined {
    return counts && new OptimizerSteps(counts);
  }

  /** Learns from a whole log how many optimizer steps each rollout has. */
  learn(rows: readonly Row[]): void {
    const numbers = (of: (row: Row) => number | undefined): [number, number] => {
      const found = rows.map(of).filter(isFiniteNumber);
      return [found.reduce((a, b) => Math.min(a, b), Infinity), found.reduce((a, b) => Math.max(a, b), -1)];
    };
    const [firstRollout, lastRollout] = numbers((row) => this.#rolloutOf(row));
    const [firstStep, lastStep] = numbers((row) => this.#stepOf(row));
    if (lastRollout < 0 || lastStep < 0) return;
    const exact = (lastStep + 1) / (lastRollout + 1);
    // The last rollout may be half trained, or not yet at all.
    const fits = (each: number): boolean =>
      Math.floor(firstStep / each) === firstRollout &&
      [lastRollout, lastRollout - 1].includes(Math.floor(lastStep / each));
    this.#each = Array.from({ length: MOST }, (_, i) => i + 1)
      .filter(fits)
      .sort((a, b) => Math.abs(a - exact) - Math.abs(b - exact))[0];
  }

  /** The line, with the number of its rollout. */
  next(row: Row): Row {
    const rollout = this.#rolloutOf(row);
    if (rollout !== undefined) {
      if (Object.keys(row).some((name) => row[name] !== null && this.#names.marks.test(name)))
        this.#rollout = rollout;
      return row;
    }
    const step = this.#stepOf(row);
    if (step === undefined) return row;
    const target = this.#each === undefined ? this.#rollout : Math.floor(step / this.#each);
    if (target === undefined) return row;
    return { ...row, ...this.#means(target, step, row), [this.#names.rollout]: target };
  }

  /** Number of the rollout that a line is of; undefined for other lines. */
  #rolloutOf(row: Row): number | undefined {
    const own = row[this.#names.rollout];
    if (isFiniteNumber(own)) return own;
    return this.#has(row, this.#names.ofRollout) && isFiniteNumber(row.step) ? row.step : undefined;
  }

  #stepOf(row: Row): number | undefined {
    if (this.#rolloutOf(row) !== undefined || !this.#has(row, this.#names.ofOptimizer)) return undefined;
    return [row[this.#names.optimizer], row.step].find(isFiniteNumber);
  }

  #has(row: Row, names: RegExp): boolean {
    return Object.keys(row).some((name) => row[name] !== null && names.test(name));
  }

  #means(rollout: number, step: number, row: Row): Row {
    const sums = this.#sums.get(rollout) ?? new Map<string, Sum>();
    this.#sums.set(rollout, sums);
    const means: Record<string, number> = {};
    for (const [name, value] of Object.entries(row)) {
      const number = isFiniteNumber(value) ? value : notFinite(value);
      const { optimizer, ofOptimizer } = this.#names;
      if (number === undefined || name === optimizer || !ofOptimizer.test(name)) continue;
      const before = sums.get(name);
      // A resume repeats steps.
      const goesOn = before !== undefined && step > before.last;
      const now = goesOn
        ? { sum: before.sum + number, count: before.count + 1, last: step }
        : { sum: number, count: 1, last: step };
      sums.set(name, now);
      means[name] = now.sum / now.count;
      this.most = Math.max(this.most, now.count);
    }
    return means;
  }
}
