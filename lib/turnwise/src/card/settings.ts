import { expectKnown, expectWhole } from "../base/expect";
import { show } from "../base/show";
import { didYouMean } from "../base/suggest";
import { envInfo, registeredIds } from "../env";
import { make } from "../env";
import type { Env } from "../env/env";
import type { PolicyOptions } from "../policy";
import type { PolicyFactory } from "../policy/policy";
import { cardWorlds, type CardWorld } from "./worlds";

/** A custom world: an environment that can be enumerated, and what acts in it, such as an `autodiffPolicy`. */
export interface OwnWorld {
  readonly name?: string;
  readonly env: Env;
  readonly policy?: PolicyOptions | PolicyFactory;
}

/** Options of a report card. Each list is gone through while the others stay at their first value. */
export interface ReportCardOptions {
  /** Names of the card's own worlds (`delayed`, `recovery`, `stopOrGo`, `tiger`), ids of environments, or `{ env, policy }`. */
  readonly worlds?: readonly (string | OwnWorld)[];
  /** G, the number of trajectories in a group. */
  readonly groupSizes?: readonly number[];
  /** Steps that the trainer has taken since the rollout, each of length `step`. */
  readonly staleness?: readonly number[];
  /** Errors of the rollout's log-probs, in nats: `logProbNoise` of `train`. */
  readonly mismatch?: readonly number[];
  /** Numbers of turns, for worlds that have no horizon of their own. */
  readonly horizons?: readonly number[];
  /** Policies on which a world is looked at, by their seeds; tables have their logits drawn. A number n is 0 .. n-1. */
  readonly seeds?: number | readonly number[];
  /** P, the number of groups in a batch. Groups are enumerated only where it is 1. */
  readonly groups?: readonly number[];
  /** Batches that are sampled where groups cannot be enumerated. */
  readonly batches?: number;
  /** The most groups that are enumerated for one setting. */
  readonly enumerate?: number;
  /** Length of the equal step, and of each step since the rollout: the L2 norm of the change of logits. */
  readonly step?: number;
  /** Ends the card before its next setting: it then holds what is finished. */
  readonly signal?: AbortSignal;
  /** Called after each setting. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** One point of the card. */
export interface Setting {
  readonly world: CardWorld;
  readonly horizon: number;
  readonly groups: number;
  readonly groupSize: number;
  readonly staleness: number;
  readonly mismatch: number;
}

/** Amount of work per setting, and length of a step. */
export interface Effort {
  readonly batches: number;
  readonly enumerate: number;
  readonly step: number;
}

/** The options with their defaults: a quick card, seconds for a rule. */
export interface CardPlan extends Effort {
  readonly settings: readonly Setting[];
  readonly seeds: readonly number[];
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
}

const action = "make a report card";

/**
 * Checks the options and lists the settings: one axis at a time, from the point that all first values make.
 *
 * @throws {RangeError} if an option is unknown or out of range, with the nearest right name
 */
export function planOf(options: ReportCardOptions): CardPlan {
  const names = [
    "worlds",
    "groupSizes",
    "staleness",
    "mismatch",
    "horizons",
    "seeds",
    "groups",
    "batches",
    "enumerate",
    "step",
    "signal",
    "onProgress",
  ];
  expectKnown(action, options, names);
  const {
    worlds = cardWorlds.map(({ name }) => name),
    groupSizes = [8, 2, 4],
    staleness = [0, 1, 4],
    mismatch = [0, 0.2],
    horizons,
    seeds = 1,
    groups = [1],
    batches = 200,
    enumerate = 200,
    step = 0.25,
  } = options;
  const wholes = (name: string, list: readonly number[], low: number): void => {
    if (list.length === 0) throw new RangeError(`Cannot ${action}: ${name} must have a value, got none.`);
    for (const value of list) expectWhole(action, `each of ${name}`, value, low);
  };
  wholes("groupSizes", groupSizes, 1);
  wholes("staleness", staleness, 0);
  if (horizons) wholes("horizons", horizons, 1);
  wholes("groups", groups, 1);
  expectWhole(action, "batches", batches, 2);
  expectWhole(action, "enumerate", enumerate, 0);
  for (const noise of mismatch) expectAbove("each of mismatch", noise, true);
  expectAbove("step", step, false);
  const settings = worlds.flatMap((given) =>
    around(worldOf(given), { groups, groupSizes, staleness, mismatch, horizons }),
  );
  return {
    settings,
    seeds: typeof seeds === "number" ? Array.from({ length: seeds }, (_, seed) => seed) : seeds,
    batches,
    enumerate,
    step,
    signal: options.signal,
    onProgress: options.onProgress,
  };
}

function expectAbove(name: string, value: number, orEqual: boolean): void {
  if (Number.isFinite(value) && (value > 0 || (orEqual && value === 0))) return;
  throw new RangeError(
    `Cannot ${action}: ${name} must be a number ${orEqual ? ">= 0" : "> 0"}, got ${show(value)}.`,
  );
}

function worldOf(given: string | OwnWorld): CardWorld {
  if (typeof given !== "string") {
    const { env, name = env.spec.id, policy = { initialScale: 1 } } = given;
    return { name, about: env.spec.skill, horizon: null, env: () => env, policy };
  }
  const own = cardWorlds.find(({ name }) => name === given);
  if (own) return own;
  const ids = registeredIds();
  if (ids.includes(given)) {
    return {
      name: given,
      about: envInfo(given).skill ?? given,
      horizon: null,
      env: () => make(given),
      policy: { initialScale: 1 },
    };
  }
  const known = [...cardWorlds.map(({ name }) => name), ...ids];
  throw new RangeError(
    `Cannot ${action}: each world must be one of ${known.join(", ")}, or { env, policy }, ` +
      `got ${show(given)}.${didYouMean(given, known)}`,
  );
}

function around(
  world: CardWorld,
  axes: {
    readonly groups: readonly number[];
    readonly groupSizes: readonly number[];
    readonly staleness: readonly number[];
    readonly mismatch: readonly number[];
    readonly horizons: readonly number[] | undefined;
  },
): Setting[] {
  const own = world.env(world.horizon ?? 1).spec.maxTurns;
  const horizons = world.horizon === null ? [own] : (axes.horizons ?? [world.horizon]);
  const center = {
    world,
    horizon: horizons[0]!,
    groups: axes.groups[0]!,
    groupSize: axes.groupSizes[0]!,
    staleness: axes.staleness[0]!,
    mismatch: axes.mismatch[0]!,
  };
  return [
    ...axes.groupSizes.map((groupSize) => ({ ...center, groupSize })),
    ...axes.staleness.slice(1).map((staleness) => ({ ...center, staleness })),
    ...axes.mismatch.slice(1).map((mismatch) => ({ ...center, mismatch })),
    ...axes.groups.slice(1).map((groups) => ({ ...center, groups })),
    ...horizons.slice(1).map((horizon) => ({ ...center, horizon })),
  ];
}
