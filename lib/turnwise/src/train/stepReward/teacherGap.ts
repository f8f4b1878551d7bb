import { optimalPolicy } from "../../exact/optimalPolicy";
import type { Policy } from "../../policy/policy";
import type { StepInput, StepOutput, StepRewarder } from "./contract";

/**
 * Log-ratio of the world's exact optimum, softened to full support, to the policy that sampled, summed over each turn.
 *
 * ```
 * s_t = sum_{l in t} (log nu(y_l) - log pi_old(y_l))
 * ```
 * One evaluation of the teacher for each batch is what it costs.
 *
 * @see AgentOPSD, arXiv 2608.05987; verl/trainer/ppo/opsd_utils.py:390 in ZethWang/AgentOPSD at 0c478b2, where the policy itself
 *   reads a skill beforehand
 */
export class TeacherGap implements StepRewarder {
  #teacher: Policy | undefined;

  /** @throws {RangeError} if the world is too large for its optimum */
  judge({ batch, env }: Pick<StepInput, "batch" | "env">): StepOutput {
    this.#teacher ??= optimalPolicy(env);
    const { logProb_ntl } = this.#teacher.evaluate(batch);
    const [N, T, L] = batch.shape;
    const step_nt = new Float64Array(N * T);
    let sum = 0;
    for (let i = 0; i < batch.mask_ntl.length; i++) {
      if (batch.mask_ntl[i] !== 1) continue;
      const gap = logProb_ntl[i]! - batch.oldLogProb_ntl[i]!;
      step_nt[Math.floor(i / L)]! += gap;
      sum += gap;
    }
    const turns = batch.turnCount_n.reduce((a, b) => a + b, 0);
    return {
      step_nt,
      metrics: {
        "stepReward/mean": sum / Math.max(1, turns),
        "stepReward/fracJudged": 1,
        "stepReward/evaluations": turns / N,
      },
    };
  }
}
