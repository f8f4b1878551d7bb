import { checkCard } from "../base/checkCard";
import { displaySymbol, type MimeBundle } from "../base/display";
import { expectWhole } from "../base/expect";
import { createRng } from "../base/rng";
import { factsOf, startPicture } from "./card";
import type { Action, Env, Info, Observation } from "./env";
import { ResetNeededError } from "./errors";
import { make } from "./registry";

/**
 * Handling of an environment whose episode has ended.
 *
 * - `nextStep`: its next step is a reset; the action is ignored and the reward is 0.
 * - `sameStep`: it is reset at once; the last observation of the episode is in `info.finalObservation`.
 * - `disabled`: stepping it throws; reset it with the mask.
 */
export type AutoresetMode = "nextStep" | "sameStep" | "disabled";

export interface VectorStep {
  readonly observations: Observation[];
  readonly rewards: Float64Array;
  readonly terminated: boolean[];
  readonly truncated: boolean[];
  readonly infos: Info[];
}

/** Several independent copies of an environment, stepped together. */
export interface VectorEnv {
  readonly count: number;
  readonly autoreset: AutoresetMode;
  readonly envs: readonly Env[];
  /** Copy i gets its own seed, which depends on `seed` and i only. With a mask only those copies are reset. */
  reset(o?: { seed?: number; mask?: readonly boolean[] }): { observations: Observation[]; infos: Info[] };
  step(actions: readonly Action[]): VectorStep;
  close(): void;
}

/**
 * Makes `count` copies of a registered environment; each plays what a single one with its seed would play.
 *
 * @throws {RangeError} if `count` is below 1, the autoreset mode is unknown, or `make` refuses the id or the options
 * @example
 * import { makeVector } from "turnwise";
 * const worlds = makeVector("Tiger-v0", 3);
 * worlds.reset({ seed: 1 }).observations.length; // => 3
 * @see Gymnasium, https://gymnasium.farama.org/api/vector
 */
export function makeVector(
  id: string,
  count: number,
  o: { readonly autoreset?: AutoresetMode; readonly options?: Readonly<Record<string, unknown>> } = {},
): VectorEnv {
  const autoreset = o.autoreset ?? "nextStep";
  expectWhole(`make a vector of ${id}`, "count", count, 1);
  if (!["nextStep", "sameStep", "disabled"].includes(autoreset)) {
    throw new RangeError(
      `Cannot make a vector of ${id}: autoreset must be nextStep, sameStep or disabled, got "${autoreset}".`,
    );
  }
  return new Vector(
    Array.from({ length: count }, () => make(id, o.options)),
    autoreset,
  );
}

/** The seed of copy i of a vector that was reset with `seed`. */
export function vectorSeed(seed: number, i: number): number {
  return createRng(seed).split("vector", i).below(4294967296);
}

class Vector implements VectorEnv {
  readonly #ended: boolean[];
  readonly #observations: Observation[];

  constructor(
    readonly envs: readonly Env[],
    readonly autoreset: AutoresetMode,
  ) {
    this.#ended = envs.map(() => false);
    this.#observations = [];
  }

  get count(): number {
    return this.envs.length;
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    const env = this.envs[0]!;
    const { id, skill } = env.spec;
    return checkCard({
      title: `${this.count} copies of ${id}, stepped together`,
      about: skill,
      rows: factsOf(env),
      ...startPicture(env),
    })[displaySymbol]();
  }

  reset(o: { seed?: number; mask?: readonly boolean[] } = {}): {
    observations: Observation[];
    infos: Info[];
  } {
    const infos = this.envs.map((env, i): Info => {
      if (o.mask && !o.mask[i]) return {};
      const [observation, info] = env.reset(o.seed === undefined ? {} : { seed: vectorSeed(o.seed, i) });
      this.#observations[i] = observation;
      this.#ended[i] = false;
      return info;
    });
    return { observations: [...this.#observations], infos };
  }

  step(actions: readonly Action[]): VectorStep {
    if (actions.length !== this.count) {
      throw new TypeError(
        `Cannot step a vector: there must be one action for each of ${this.count} environments, got ${actions.length}.`,
      );
    }
    const stuck = this.autoreset === "disabled" ? this.#ended.indexOf(true) : -1;
    if (stuck !== -1) {
      throw new ResetNeededError(
        `Cannot step a vector: every episode must be running, but environment ${stuck} has ended. Reset it with the mask.`,
      );
    }
    const rewards = new Float64Array(this.count);
    const terminated: boolean[] = [];
    const truncated: boolean[] = [];
    const infos = this.envs.map((env, i) => {
      if (this.#ended[i]) return this.#resetOne(env, i, terminated, truncated);
      const [observation, reward, ends, cut, info] = env.step(actions[i]!);
      rewards[i] = reward;
      terminated.push(ends);
      truncated.push(cut);
      this.#observations[i] = observation;
      this.#ended[i] = ends || cut;
      if (!this.#ended[i] || this.autoreset !== "sameStep") return info;
      const [first, startInfo] = env.reset();
      this.#observations[i] = first;
      this.#ended[i] = false;
      return { ...startInfo, finalObservation: observation, finalInfo: info };
    });
    return { observations: [...this.#observations], rewards, terminated, truncated, infos };
  }

  close(): void {
    for (const env of this.envs) env.close();
  }

  #resetOne(env: Env, i: number, terminated: boolean[], truncated: boolean[]): Info {
    const [observation, info] = env.reset();
    this.#observations[i] = observation;
    this.#ended[i] = false;
    terminated.push(false);
    truncated.push(false);
    return info;
  }
}
