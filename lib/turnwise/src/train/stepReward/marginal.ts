import type { Action, EnvSpec, TurnInfo } from "../../env/env";
import { silenced } from "../../policy/silenced";
import { collect } from "../../rollout/collect";
import type { StepInput, StepOutput } from "./contract";

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
  { batch, policy, env, rng, rollout = rng }: StepInput,
  { weight, toolWeight }: { readonly weight: number; readonly toolWeight: number },
): StepOutput {
  const [N, T] = batch.shape;
  const { agents = ["agent"] } = env.spec;
  const action = silence(env.spec);
  const places = batch.trajectoryId.map((id) => id.split(".").map(Number) as [number, number]);
  const groups = 1 + Math.max(...places.map(([group]) => group));
  const groupSize = 1 + Math.max(...places.map(([, member]) => member));
  const step_nt = new Float64Array(N * T);
  let steps = 0;
  let sum = 0;
  let judged = 0;
  for (const agent of agents) {
    const without = collect(env, silenced(policy, { agents: [agent], action }), {
      groups,
      groupSize,
      rng: rollout,
    });
    steps += without.turnCount_n.reduce((total, turns) => total + turns, 0);
    const left = new Map(without.trajectoryId.map((id, n) => [id, without.return_n[n]!]));
    for (let n = 0; n < N; n++) {
      const own = Array.from({ length: batch.turnCount_n[n]! }, (_, t) => t).filter(
        (t) => (batch.agentId_nt?.[n]?.[t] ?? "agent") === agent,
      );
      const lost = batch.return_n[n]! - left.get(batch.trajectoryId[n]!)!;
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

/** Turn with which an agent says nothing: the end of the turn, or else the last word of the vocabulary throughout. */
function silence({ endToken, vocabulary, maxTokens }: EnvSpec): Action {
  if (endToken !== undefined) return [endToken];
  return Array.from({ length: maxTokens }, () => vocabulary.length - 1);
}
