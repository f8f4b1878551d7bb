import type { Recipe } from "../../rule";
import { ascent } from "./expectation";
import { figure, type Finding } from "./finding";
import { samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { allFinite, norm } from "../../base/vectors";
import type { Rollout } from "./rollout";

const check = "equal rewards";

export const EQUAL = "A deviation of 0: add an epsilon to it, or give such a group an advantage of 0.";

/** Groups whose members all earn the same: 0, and 1. */
export function equalRewards(rule: Recipe): Finding {
  let pushed = 0;
  let kept = 0;
  for (const { case: one, rollout } of samples) {
    for (const pay of [0, 1]) {
      const same = allPaid(rollout, pay);
      const answer = tokenGradient(rule, same);
      const update = ascent(same, one.policy, answer);
      kept += answer.rows.length;
      if (![answer.advantage_ntl, answer.dLogProb_ntl, answer.dEntropy_ntl, [answer.loss]].every(allFinite)) {
        return {
          check,
          verdict: "failed",
          sentence: `Where all members of a group earn ${pay}, the update is not a number.`,
          hint: EQUAL,
          figures: { "push where all earn the same": NaN },
        };
      }
      pushed = Math.max(pushed, norm(update));
    }
  }
  const figures = { "push where all earn the same": pushed };
  return {
    check,
    verdict: "passed",
    sentence:
      kept === 0
        ? "A group whose members earn the same is dropped by its filter."
        : pushed < 1e-6
          ? "A group whose members earn the same pushes nothing."
          : `Where all earn the same, the update is finite and pushes by ${figure(pushed)}.`,
    figures,
  };
}

function allPaid(rollout: Rollout, pay: number): Rollout {
  const { batch } = rollout;
  const [N, T] = batch.shape;
  const reward_nt = new Float64Array(N * T);
  for (let n = 0; n < N; n++) reward_nt[n * T + batch.turnCount_n[n]! - 1] = pay;
  return { ...rollout, batch: { ...batch, reward_nt, return_n: new Float64Array(N).fill(pay) } };
}
