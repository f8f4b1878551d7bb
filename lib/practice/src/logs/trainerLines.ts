import type { Framework } from "./framework";
import { clockOf, stepOf } from "./names";
import { isFiniteNumber, type Row } from "./row";

/**
 * Tells the lines of a trainer on a console from dicts that others printed there, such as a user's reward function: a trainer names a
 * step or an epoch; if none of its lines does, it has more of the names that are known.
 */
export class TrainerLines {
  #clocked = false;
  #most = 0;

  constructor(
    private readonly names: Framework,
    private readonly knows: (name: string) => boolean,
  ) {}

  /** Learns how lines without a step look. */
  lookAt(values: Row): void {
    if (stepOf(values, this.names) !== undefined) return;
    this.#clocked ||= clockOf(values) !== undefined;
    this.#most = Math.max(this.#most, this.#known(values));
  }

  isOne(values: Row): boolean {
    if (stepOf(values, this.names) !== undefined) return true;
    this.lookAt(values);
    if (this.#clocked) return clockOf(values) !== undefined;
    const known = this.#known(values);
    return known > 0 && 2 * known >= this.#most;
  }

  #known(values: Row): number {
    return Object.keys(values).filter((name) => isFiniteNumber(values[name]) && this.knows(name)).length;
  }
}
