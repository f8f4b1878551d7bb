import { make, type Env } from "../../env";
import type { Policy } from "../../policy/policy";
import { recipe, type Recipe } from "../../rule";
import { train } from "../../train";
import { rewardRecipe } from "../rewardSignal/rewardRun";
import { creditStudy, type CreditStudy } from "./creditStudy";

const perTurn = (credit: "reward" | "rewardToGo"): Recipe =>
  recipe("drGrpo", { advantage: { kind: "perTurn", credit } });
const stepGae = (lambda: number): Recipe =>
  recipe("stepPo", { scale: "none", advantage: { kind: "gae", lambda } });

/** The rules whose credit is held against the exact one. Those with a critic get a perfect one. */
export const creditRules: Readonly<Record<string, Recipe>> = Object.freeze({
  "GRPO, DAPO: whole return, group std": recipe("grpo"),
  "Dr.GRPO: whole return": recipe("drGrpo"),
  "GiGPO: anchor states": recipe("gigpo"),
  "per turn, rewards from the turn on": perTurn("rewardToGo"),
  "per turn, own reward": perTurn("reward"),
  "StepPO, lambda 1, perfect critic": stepGae(1),
  "StepPO, lambda 0, perfect critic": stepGae(0),
});

/** Calculator-v0 with one useless tool. */
export function creditWorld(reward: "outcome" | "checklist" = "outcome"): Env {
  return make("Calculator-v0", { distractors: 1, reward });
}

/** A model in the middle of learning to use the calculator: 60 updates on the checklist. */
export async function creditPolicy(seed: number): Promise<Policy> {
  const run = train({
    env: creditWorld("checklist"),
    policy: { memory: "turnObservation" },
    recipe: rewardRecipe("rewardToGo"),
    updates: 60,
    seed,
  });
  for await (const _ of run);
  return run.policy;
}

/** Holds every rule's credit against the exact one, on the outcome reward, for the policy of a seed. */
export async function creditRun(seed: number): Promise<CreditStudy> {
  return creditStudy({ env: creditWorld(), policy: await creditPolicy(seed), rules: creditRules, seed });
}

/**
 * `creditRun` as a job of a sweep.
 *
 * @public
 */
export function creditJob({ seed }: { readonly seed: number }): Promise<CreditStudy> {
  return creditRun(seed);
}
