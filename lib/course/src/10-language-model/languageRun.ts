import { mean } from "turnwise/internal/base/statistics";
import { make, type Env } from "turnwise/internal/env/index";
import { watchRun } from "turnwise/internal/monitor/index";
import { createPolicy, type Policy, type PolicyOptions } from "turnwise/internal/policy/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { imitate, NonFiniteError, train, type TrainRecord } from "turnwise/internal/train/index";
import { watchedRules } from "../shared/alarms/definitions";
import type { LanguageJob, LanguageResult } from "../shared/languageRuns/job";
import { demonstrator } from "./demonstrator";
import { played } from "./played";
import { roundedSampler } from "./roundedSampler";

/** A transformer of 4,642 weights in the calculator's world. */
export const tinyTransformer = Object.freeze({
  kind: "transformer",
  width: 16,
  layers: 1,
  heads: 2,
  window: 48,
  compute: "wasm",
} as const satisfies PolicyOptions);

/** World in which a language model learns: the calculator's questions in digits, or questions of two hops. */
export function languageWorld(world: LanguageJob["world"]): Env {
  return world === "searchQa" ? make("SearchQa-v0") : make("Calculator-v0", { syntax: "digits", level: 2 });
}

/** A tiny transformer that has imitated 400 episodes of a demonstrator. */
export async function languageStart(
  env: Env,
  { skill, seed }: Pick<LanguageJob, "skill" | "seed">,
): Promise<Policy> {
  const policy = createPolicy(env.spec, { ...tinyTransformer, seed });
  const teacher = demonstrator(env, { skill });
  await imitate(env, policy, {
    ...{ teacher, episodes: 400, steps: 250, turnsPerStep: 64, learningRate: 1, seed },
  });
  return policy;
}

/** A rule with Adam: two steps of .001 on each batch, or 24 steps of .002. */
export function languageRecipe({ rule, reuse = false }: Pick<LanguageJob, "rule" | "reuse">): Recipe {
  return reuse
    ? recipe(rule, {
        update: { epochs: 6, minibatches: 4, optimizer: { kind: "adam", learningRate: 0.002 } },
      })
    : recipe(rule, {
        update: { epochs: 1, minibatches: 2, optimizer: { kind: "adam", learningRate: 0.001 } },
      });
}

/** Imitates and trains one model; `onRecord` sees every update. A run whose loss is no longer finite ends there. */
export async function languageRun(
  job: LanguageJob,
  onRecord?: (record: TrainRecord) => void,
): Promise<LanguageResult> {
  const { world, bits = 0, reuse = false, updates = reuse ? 400 : 300, seed } = job;
  const env = languageWorld(world);
  const trained = await languageStart(env, job);
  const begin = played(env, trained, { seed });
  const policy = bits === 0 ? trained : roundedSampler(trained, bits);
  const records: TrainRecord[] = [];
  const run = train({ env, policy, recipe: languageRecipe(job), updates, seed });
  try {
    for await (const record of run) {
      records.push(record);
      onRecord?.(record);
    }
  } catch (error) {
    if (!(error instanceof NonFiniteError)) throw error;
  }
  const success_u = records.map(({ metrics }) => metrics["success/mean"]!);
  const ends = (name: "policy/entropy" | "tokens/mean"): readonly [number, number] => {
    const all = records.map(({ metrics }) => metrics[name]!);
    return [mean(all.slice(0, 10)), mean(all.slice(-10))];
  };
  return {
    ...watchRun(records, watchedRules),
    wellFormed: begin.wellFormed,
    start: begin.success,
    final: played(env, trained, { seed }).success,
    best: Math.max(...success_u.map((_, u) => mean(success_u.slice(u, u + 10)))),
    entropy: ends("policy/entropy"),
    tokens: ends("tokens/mean"),
  };
}

/** A cell of the grid: a job without its seed. */
export type LanguageCell = Omit<LanguageJob, "seed">;

/**
 * `languageRun` as a job of a sweep.
 *
 * @public
 */
export function languageJob(
  { cell, seed }: { readonly cell: LanguageCell; readonly seed: number },
  { report }: JobContext,
): Promise<LanguageResult> {
  return languageRun({ ...cell, seed }, ({ update }) => {
    if (update % 20 === 0) report(update / (cell.reuse ? 400 : 300));
  });
}
