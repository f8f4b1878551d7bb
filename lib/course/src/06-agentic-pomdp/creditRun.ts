import type { Policy } from "turnwise/internal/policy/policy";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { creditPolicy, creditUpdates, creditWorld } from "../shared/credit/creditPolicy";
import { creditStudy, type CreditStudy } from "./creditStudy";

const perTurn = (credit: "reward" | "rewardToGo"): Recipe =>
  recipe("drGrpo", { advantage: { kind: "perTurn", credit } });
const stepGae = (lambda: number): Recipe =>
  recipe("stepPo", { scale: "none", advantage: { kind: "gae", lambda } });

/** Age of a critic's values, in updates before the policy that it judges: its own, or those of its past. */
export const criticLags = Object.freeze({
  "perfect critic": 0,
  "critic 20 updates behind": 20,
  "critic before training": 60,
} as const);

/** A critic, by how far it lags behind. */
export type CriticLag = keyof typeof criticLags;

/** The rules whose credit is compared with the exact one. */
export const creditRules: Readonly<Record<string, Recipe>> = Object.freeze({
  "GRPO, DAPO: whole return, group std": recipe("grpo"),
  "Dr.GRPO: whole return": recipe("drGrpo"),
  "GiGPO: anchor states": recipe("gigpo"),
  "per turn, rewards from the turn on": perTurn("rewardToGo"),
  "per turn, own reward": perTurn("reward"),
  ...Object.fromEntries(
    [1, 0].flatMap((lambda) =>
      Object.keys(criticLags).map((lag) => [`StepPO, lambda ${lambda}, ${lag}`, stepGae(lambda)]),
    ),
  ),
});

/** Holds every rule's credit against the exact one, on the outcome reward, for the policy of a seed. */
export async function creditRun(seed: number): Promise<CreditStudy> {
  const critics: Record<string, Policy> = {};
  for (const [lag, updates] of Object.entries(criticLags)) {
    if (updates === 0) continue;
    const past = await creditPolicy(seed, creditUpdates - updates);
    for (const lambda of [0, 1]) critics[`StepPO, lambda ${lambda}, ${lag}`] = past;
  }
  return creditStudy({
    env: creditWorld(),
    policy: await creditPolicy(seed),
    rules: creditRules,
    critics,
    seed,
  });
}

/**
 * `creditRun` as a job of a sweep.
 *
 * @public
 */
export function creditJob({ seed }: { readonly seed: number }): Promise<CreditStudy> {
  return creditRun(seed);
}
