import { expectKnown, expectWhole } from "../base/expect";
import { isEnv } from "../env/asItWas";
import { behaviorOf } from "../env/behavior";
import type { Env } from "../env/env";
import { functionText } from "../base/functionText";
import { show } from "../base/show";
import { isCustom, textOf } from "../rule/custom/custom";
import { changedFunctions } from "../rule/custom/customFunctions";
import { readTrainOptions } from "../train/options";
import { toLine } from "./json";
import { expectFewSeeds } from "./limits";
import { mapTree } from "./modules/reference";
import { runsOf } from "./runsOf";
import { SeedRuns } from "./seedRuns";
import { SeedTraining } from "./seedTraining";
import type { SeedRunOptions, SeedOptions } from "./seedHow";
import { stopSymbol } from "./stop";

const names: readonly (keyof SeedRunOptions)[] = ["workers", "resume", "chart", "onRecord", "bar"];

/**
 * Trains the same setting from several seeds, on worker threads where that is faster.
 *
 * A run depends on its options and its seed alone, so records are the same, bit by bit, whatever the number of threads
 * (`seconds` apart). A ready environment or policy, a world or a function that lives in this thread alone keeps it here.
 *
 * An interrupted cell, Ctrl-C in a script and an aborted `signal` end it with the seeds finished so far; what there is of
 * others is in `unfinished`. To go on with the missing ones, hand these in: `trainSeeds(options, 20, { resume: runs })`.
 * Functions of your own must then have the text that they had; what they read from outside of themselves is not compared. A
 * ready environment that was built again counts as the same if its spec, its state and a few short episodes are.
 *
 * Every seed begins alike: a ready environment gets its state back, and is refused if it still plays otherwise after a seed. A
 * function that remembers its calls, in a variable outside of itself, carries that from seed to seed unseen; `checkRule`
 * asks functions of a rule twice.
 *
 * @param seeds a list, or a number n for the seeds 0 .. n-1
 * @throws {RangeError} if there are no seeds or repeated ones, if a ready environment or a function that makes policies
 *   carries something from seed to seed, for a ready policy, which every seed would go on training, or
 *   if `workers` asks for threads and the setting lives in this one alone
 * @throws {Error} of the first seed that fails; its property `runs` has the seeds that were finished
 * @example
 * import { trainSeeds } from "turnwise";
 * const runs = await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 5 }, 3);
 * runs.final("reward/mean").n; // => 3
 * const more = await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 5 }, 5, { resume: runs });
 * more.seeds; // => [0, 1, 2, 3, 4]
 */
export function trainSeeds(
  options: SeedOptions,
  seeds: number | readonly number[],
  how: SeedRunOptions | SeedRunOptions["onRecord"] = {},
): Promise<SeedRuns> {
  let training: SeedTraining;
  try {
    training = begin(options, seeds, typeof how === "function" ? { onRecord: how } : how);
  } catch (error) {
    return Promise.reject(error as Error);
  }
  const done = training.run();
  // What a kernel calls when the cell that waits for it is interrupted: the promise then has the finished seeds.
  return Object.assign(done, { [stopSymbol]: () => training.stop().then(() => done) });
}

function begin(options: SeedOptions, seeds: number | readonly number[], how: SeedRunOptions): SeedTraining {
  const list = seedList(seeds);
  if (typeof options.policy === "object" && "sample" in options.policy) {
    throw new RangeError(
      "Cannot train several seeds: policy must be options, from which each seed makes its own, got a ready policy.",
    );
  }
  expectKnown("train several seeds", how, names);
  if (how.workers !== undefined) expectWhole("train several seeds", "workers", how.workers, 0);
  // What a run would refuse is refused before any thread starts.
  readTrainOptions({ ...options, seed: list[0]! });
  const known = how.resume === undefined ? [] : runsOf(how.resume, "go on with seeds");
  if (how.resume instanceof SeedRuns) expectSameSetting(how.resume, options);
  return new SeedTraining(options, list, known, how);
}

function seedList(seeds: number | readonly number[]): readonly number[] {
  if (typeof seeds !== "number" && !Array.isArray(seeds)) {
    throw new TypeError(
      `Cannot train several seeds: their number or a list of them must follow the options, got ${show(seeds)}.`,
    );
  }
  expectFewSeeds("train several seeds", seeds);
  const list = typeof seeds === "number" ? Array.from({ length: Math.max(0, seeds) }, (_, i) => i) : seeds;
  if (list.length === 0 || new Set(list).size !== list.length) {
    throw new RangeError(
      `Cannot train several seeds: they must be different and at least one, got [${list.join(", ")}].`,
    );
  }
  return list;
}

/** Seeds of two settings in one figure would be a mistake that nobody sees. */
function expectSameSetting({ setting }: SeedRuns, { signal: _signal, ...now }: SeedOptions): void {
  const before = setting.options;
  const wanted: Readonly<Record<string, unknown>> = now;
  const all = [...new Set([...Object.keys(before), ...Object.keys(wanted)])];
  const differing = all.filter((name) => !same(before[name], wanted[name]));
  if (differing.length === 0) return;
  throw new RangeError(
    `Cannot go on with these seeds: the setting must be the one that they were trained with, but it has another ` +
      differing.map((name) => name + changed(before[name], wanted[name])).join(", ") +
      ".",
  );
}

/** Functions are the same by their label and text, as a cell that is run again makes them again. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  if (isEnv(a) && isEnv(b)) return sameEnv(a, b);
  try {
    return toLine(withTexts(a), "") === toLine(withTexts(b), "");
  } catch {
    return false;
  }
}

/** An environment that was built again, as a cell that is run again does, is the same if it begins and plays alike. */
function sameEnv(a: Env, b: Env): boolean {
  const begins = ({ spec, state }: Env, env: Env): string => JSON.stringify([spec, state?.call(env)]);
  return begins(a, a) === begins(b, b) && behaviorOf(a) === behaviorOf(b);
}

const withTexts = (value: unknown): unknown =>
  mapTree(value, (one) => {
    if (isCustom(one)) return { label: one.label, text: textOf(one) };
    return typeof one === "function" ? { text: functionText(one) } : undefined;
  });

/** Labels stay when functions change, so an error that shows no text must say that it is another one. */
function changed(before: unknown, now: unknown): string {
  if (typeof before !== "object" || before === null || typeof now !== "object" || now === null) return "";
  const texts = changedFunctions(before, now).map(({ field, by }) => `${field} "${by.label}"`);
  return texts.length === 0 ? "" : ` (the text of ${texts.join(" and ")} has changed)`;
}
