import { make } from "turnwise/internal/env/index";
import { libraryWorlds } from "turnwise/internal/env/worlds";
import type { Metrics } from "turnwise/internal/base/glossary";
import { createPolicy, type Policy, type PolicyOptions } from "turnwise/internal/policy/index";
import { recipe } from "turnwise/internal/rule/index";
import { createRng } from "turnwise/internal/base/rng";
import { train } from "turnwise/internal/train/index";
import { evaluatePolicy } from "turnwise/internal/train/evaluate";

/** One column of the matrix of policies and worlds. */
export interface PolicyColumn {
  readonly name: string;
  readonly policy: PolicyOptions;
  /** Of Adam. Tables and the log-linear policy have one weight per logit, so they take larger steps. */
  readonly learningRate: number;
}

/** One row: an environment and what was changed of it. */
export interface MatrixWorld {
  readonly name: string;
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
}

const network = { width: 16, window: 32, compute: "wasm" } as const;

/** Every kind of policy, near uniform at the start; of the tables, the two that act on what the turn before has shown. */
export const policyColumns: readonly PolicyColumn[] = Object.freeze([
  { name: "table of histories", policy: {}, learningRate: 0.05 },
  { name: "table of turn and observation", policy: { memory: "turnObservation" }, learningRate: 0.05 },
  { name: "log-linear", policy: { kind: "logLinear", initialScale: 0 }, learningRate: 0.05 },
  { name: "mlp", policy: { kind: "mlp", ...network }, learningRate: 0.01 },
  { name: "gru", policy: { kind: "gru", ...network }, learningRate: 0.01 },
  { name: "transformer", policy: { kind: "transformer", ...network }, learningRate: 0.01 },
]);

/** Every world of the library with its default options, and then with those of each of its variants. */
export const matrixWorlds: readonly MatrixWorld[] = Object.freeze(
  libraryWorlds.flatMap(({ id, variants = [] }): MatrixWorld[] => [
    { name: id, id, options: {} },
    ...variants.map((variant) => ({ id, ...variant })),
  ]),
);

/** One budget for every cell. */
export const matrixBudget = Object.freeze({
  recipe: "drGrpo",
  updates: 200,
  groups: 8,
  groupSize: 8,
  evaluationEpisodes: 2000,
} as const);

/** Return of a setting's policy before and after training, on the same episodes' seeds. */
export interface PolicyResult {
  readonly untrained: number;
  readonly mean: number;
  /** Of `mean`. */
  readonly standardError: number;
  /** Of the training. */
  readonly seconds: number;
}

/** Why a policy cannot act in a world, found out on 50 random episodes; undefined if it can. */
export function misfit(world: MatrixWorld, column: PolicyColumn): string | undefined {
  const env = make(world.id, world.options);
  const policy = createPolicy(env.spec, column.policy);
  const rng = createRng(0).split("misfit");
  for (let seed = 0; seed < 50; seed++) {
    const observations = [env.reset({ seed })[0]];
    const actions: (readonly number[])[] = [];
    for (let over = false; !over;) {
      try {
        policy.contextOf({ observations, actions });
      } catch (error) {
        if (error instanceof TypeError) return error.message;
        throw error;
      }
      const action = env.actionSpace.sample(rng);
      const [observation, , terminated, truncated] = env.step(action);
      actions.push(action);
      observations.push(observation);
      over = terminated || truncated;
    }
  }
  return undefined;
}

/** Trains one policy in one world from a seed. Equal arguments give equal results, except for the seconds. */
export async function policyRun(
  world: MatrixWorld,
  column: PolicyColumn,
  seed: number,
  o: { readonly updates?: number; readonly evaluationEpisodes?: number } = {},
): Promise<PolicyResult> {
  const { recipe: name, updates, groups, groupSize, evaluationEpisodes } = { ...matrixBudget, ...o };
  const env = make(world.id, world.options);
  const rule = recipe(name, { update: { optimizer: { kind: "adam", learningRate: column.learningRate } } });
  const policy = createPolicy(env.spec, { seed, ...column.policy });
  const play = (player: Policy): Metrics =>
    evaluatePolicy(env, player, {
      episodes: evaluationEpisodes,
      greedy: false,
      rng: createRng(seed).split("policyRun"),
    });
  const untrained = play(policy)["eval/return"]!;
  const run = train({ env, policy, recipe: rule, updates, groups, groupSize, seed });
  let seconds = 0;
  for await (const record of run) ({ seconds } = record);
  const trained = play(policy);
  return { untrained, mean: trained["eval/return"]!, standardError: trained["eval/standardError"]!, seconds };
}
