import type { TurnInfo } from "../../env/env";
import type { StepInput, StepOutput } from "./contract";
import { playedWithout, turnsOfAgent } from "./playedWithout";

/**
 * Loss of an episode without the agent that took a turn, and the number of that agent's calls that were well-formed.
 *
 * ```
 * s_{i,t} = weight (R(tau) - R(tau without i)) + toolWeight x share of i's turns that are no malformed call
 * ```
 * For every agent, each trajectory is played once more, from the same start and with the same draws, while that agent writes
 * `silence` whenever it has the turn: the one-sided marginal. It costs as many episodes again as there are agents. A world with a
 * single agent has nobody else: its marginal is what its words earn beyond silence.
 *
 * @see SHARP, arXiv 2602.08335 [P]; its weights are [S], and how an agent is masked is ours
 */
export function marginal(
  input: StepInput,
  { weight, toolWeight }: { readonly weight: number; readonly toolWeight: number },
): StepOutput {
  const { batch, env } = input;
  const [N, T] = batch.shape;
  const { agents = ["agent"] } = env.spec;
  const step_nt = new Float64Array(N * T);
  let steps = 0;
  let sum = 0;
  let judged = 0;
  for (const agent of agents) {
    const without = playedWithout(input, agent);
    steps += without.steps;
    for (let n = 0; n < N; n++) {
      const own = turnsOfAgent(batch, n, agent);
      const lost = batch.return_n[n]! - without.played.return_n[without.rowOf.get(batch.trajectoryId[n]!)!]!;
      const wellFormed = own.filter(
        (t) => (batch.info_nt?.[n]?.[t] as TurnInfo | undefined)?.call !== "malformed",
      ).length;
      for (const t of own) {
        step_nt[n * T + t] = weight * lost + (toolWeight * wellFormed) / own.length;
        sum += step_nt[n * T + t]!;
        judged++;
      }
    }
  }
  return {
    step_nt,
    metrics: {
      "stepReward/mean": sum / Math.max(1, judged),
      "stepReward/fracJudged": 1,
      "stepReward/evaluations": steps / N,
    },
  };
}
