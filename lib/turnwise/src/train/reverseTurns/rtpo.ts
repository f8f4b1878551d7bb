import { expectWhole } from "../../base/expect";
import type { Metrics } from "../../base/glossary";
import { createRng, type Rng } from "../../base/rng";
import type { Batch } from "../../batch/batch";
import { stepsTaken } from "../../batch/stepsTaken";
import type { Env } from "../../env/env";
import type { Policy } from "../../policy/policy";
import { toBatch } from "../../rollout/collect";
import { growSiblings, growTrunks, type Trunk } from "../../rollout/siblings";
import type { Place } from "../../rollout/trajectory";
import { custom, recipe, type Recipe, type RecipeOverrides } from "../../rule";
import { periodicYield } from "../periodicYield";
import { Learner } from "../learner";
import { createOptimizer, type Optimizer } from "../optimizer";
import { rolloutMetrics } from "../records";
import type { UpdateObserver } from "../witness";

/** Options of `rtpo`. */
export interface RtpoOptions {
  /** Start states per update. */
  readonly groups: number;
  /** Trunks from each start state. */
  readonly trunks: number;
  /** Siblings that leave each trunk at each of its turns: G - 1 in the paper, which has 2. */
  readonly siblings: number;
  /** The run ends with the update that reaches so many rollouts, trunks and siblings together. */
  readonly rollouts: number;
  readonly seed: number;
  readonly update: NonNullable<RecipeOverrides["update"]>;
  /** The clip on both sides of 1; the paper gives no number. Default 0.2. */
  readonly clip?: number;
}

/** One update of `rtpo`: all turns once, the last one first. */
export interface RtpoRecord {
  readonly update: number;
  /** Rollouts so far: trunks and siblings. */
  readonly samples: number;
  /** Environment steps really taken so far: what a sibling shares with its trunk was taken once. */
  readonly turns: number;
  readonly optimizerSteps: number;
  /** Of the trunks, which the policy played before the update. */
  readonly metrics: Metrics;
}

/**
 * RTPO: the turns of trunks are updated in reverse, each on siblings that leave the trunk at that turn and are played by the policy
 * as the updates of later turns have left it.
 *
 * ```
 * trunks under theta_0
 * for k = K-1, ..., 0:
 *   theta_old <- theta;  for each trunk that reached turn k: siblings j = 1 .. G-1 from S_k under theta
 *   A_j = R_j - mean_j R_j
 *   E epochs of minibatches on  mean_j mean_l min(rho_jl A_j, clip(rho_jl, 1 - eps, 1 + eps) A_j),  tokens l of turn k alone
 * ```
 * Trunks give states and no gradient. The policy learns in place. There is no carry: continuations are on-policy, so that the weight
 * of later turns is 1.
 *
 * It has no row in the table of rules because it samples between its steps. `rtpoRule` is the part that is a rule.
 *
 * @throws {RangeError} if a number is out of range
 * @throws {TypeError} if the world cannot be branched
 * @see RTPO, arXiv 2608.18682, Algorithm 1, Eq. 6 to 8. Departures: no KL to the start (the paper's coefficient is .02); a policy that
 *   sees whole histories needs no record of its context, so the paper's first source of instability is not there
 */
export async function* rtpo(
  env: Env,
  policy: Policy,
  o: RtpoOptions,
  watched?: UpdateObserver,
): AsyncGenerator<RtpoRecord, void> {
  for (const name of ["groups", "trunks", "siblings", "rollouts"] as const)
    expectWhole("run RTPO", name, o[name], 1);
  const T = env.spec.maxTurns;
  const optimizer = createOptimizer(rtpoRule(0, o).update.optimizer);
  const learners = Array.from({ length: T }, (_, turn) =>
    learnerOf(env, policy, o, rtpoRule(turn, o), optimizer),
  );
  const breathe = periodicYield();
  const root = createRng(o.seed).split("train");
  let [samples, turns, optimizerSteps] = [0, 0, 0];
  for (let update = 1; samples < o.rollouts; update++) {
    await breathe();
    const rng = root.split("update", update);
    const trunks = growTrunks(env, policy, { rng: rng.split("rollout") }, placesOf(o, rng));
    const trunkBatch = toBatch(
      env,
      trunks.map(({ trajectory }) => trajectory),
      false,
    );
    const count = (batch: Batch): void => {
      samples += batch.shape[0];
      turns += stepsTaken(batch);
    };
    count(trunkBatch);
    watched?.sampled(trunkBatch);
    for (let turn = T - 1; turn >= 0; turn--) {
      const batch = siblingsAt(env, policy, trunks, turn, o, rng.split("siblings", turn));
      if (batch === undefined) continue;
      count(batch);
      optimizerSteps += learners[turn]!.learn(update, batch, rng.split("turn", turn), watched).optimizerSteps;
    }
    yield { update, samples, turns, optimizerSteps, metrics: rolloutMetrics(trunkBatch) };
  }
}

/** The rule of one turn of RTPO: siblings compared with their mean, token ratios, PPO's clip, and this turn's tokens alone. */
export function rtpoRule(turn: number, { update, clip = 0.2 }: Pick<RtpoOptions, "update" | "clip">): Recipe {
  return recipe("grpo", {
    advantage: "mean",
    scale: "none",
    ratio: "token",
    gate: { kind: "clip", clipLow: clip, clipHigh: clip },
    aggregate: { kind: "sequenceMeanTokenMean", per: "turn" },
    order: { kind: "custom", by: custom(`turn ${turn + 1} alone`, () => [turn]), carry: "off" },
    regularizer: { klReference: null },
    update,
  });
}

function learnerOf(env: Env, policy: Policy, o: RtpoOptions, rule: Recipe, optimizer: Optimizer): Learner {
  return new Learner({
    env,
    policy,
    recipe: rule,
    optimizer,
    reference: null,
    groups: o.groups * o.trunks,
    groupSize: o.siblings,
    temperature: 1,
    logProbNoise: 0,
  });
}

function placesOf({ groups, trunks }: RtpoOptions, rng: Rng): Place[] {
  const draws = rng.split("rollout");
  return Array.from({ length: groups }, (_, group) => {
    const seed = draws.split("env", group).below(4294967296);
    return Array.from({ length: trunks }, (_, member): Place => ({ group, member, seed }));
  }).flat();
}

/** Undefined if no trunk reached the turn. */
function siblingsAt(
  env: Env,
  policy: Policy,
  trunks: readonly Trunk[],
  turn: number,
  { siblings }: RtpoOptions,
  rng: Rng,
): Batch | undefined {
  const grown = growSiblings(policy, { rng }, trunks, { turn, count: siblings });
  return grown.length === 0 ? undefined : toBatch(env, grown, true);
}
