import { collect } from "../../rollout/collect";
import type { StepInput, StepOutput } from "./contract";

/**
 * Minus the return of one greedy episode from the start of the trajectory, the same for all its turns.
 *
 * ```
 * s_t = -R(greedy episode from the same start)
 * ```
 * The greedy episode takes the likeliest token everywhere and does not depend on what the trajectory drew, so the baseline leaves the
 * expected step as it is. In a world that draws, it is one episode of the many that the greedy policy may have.
 *
 * @see ReMax, arXiv 2310.10505; verl 0.9.1, verl/trainer/ppo/core_algos.py:735
 */
export function greedyBaseline({ batch, policy, env, rng, rollout = rng }: StepInput): StepOutput {
  const [N, T] = batch.shape;
  const groups = batch.trajectoryId.map((id) => Number(id.split(".")[0]));
  const played = collect(env, policy, {
    groups: 1 + Math.max(...groups),
    groupSize: 1,
    rng: rollout,
    greedy: true,
  });
  const step_nt = new Float64Array(N * T);
  let sum = 0;
  let turns = 0;
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < batch.turnCount_n[n]!; t++) {
      step_nt[n * T + t] = 0 - played.return_n[groups[n]!]!;
      sum += step_nt[n * T + t]!;
      turns++;
    }
  }
  return {
    step_nt,
    metrics: {
      "stepReward/mean": sum / Math.max(1, turns),
      "stepReward/fracJudged": 1,
      "stepReward/evaluations": played.turnCount_n.reduce((a, b) => a + b, 0) / N,
    },
  };
}
