import type { Batch } from "../../batch/batch";
import type { Action, EnvSpec } from "../../env/env";
import { silenced } from "../../policy/silenced";
import { collect } from "../../rollout/collect";
import type { StepInput } from "./contract";

/** Episodes played again from the same starts and with the same draws, while one agent writes `silence` whenever it has the turn. */
export function playedWithout(
  { batch, policy, env, rng, rollout = rng }: StepInput,
  agent: string,
): { readonly played: Batch; readonly rowOf: ReadonlyMap<string, number>; readonly steps: number } {
  const places = batch.trajectoryId.map((id) => id.split(".").map(Number) as [number, number]);
  const played = collect(env, silenced(policy, { agents: [agent], action: silence(env.spec) }), {
    groups: 1 + Math.max(...places.map(([group]) => group)),
    groupSize: 1 + Math.max(...places.map(([, member]) => member)),
    rng: rollout,
  });
  return {
    played,
    rowOf: new Map(played.trajectoryId.map((id, n) => [id, n])),
    steps: played.turnCount_n.reduce((total, turns) => total + turns, 0),
  };
}

/** The turns of a trajectory that an agent took. */
export const turnsOfAgent = ({ turnCount_n, agentId_nt }: Batch, n: number, agent: string): number[] =>
  Array.from({ length: turnCount_n[n]! }, (_, t) => t).filter(
    (t) => (agentId_nt?.[n]?.[t] ?? "agent") === agent,
  );

/** Turn with which an agent says nothing: the end of the turn, or else the last word of the vocabulary throughout. */
function silence({ endToken, vocabulary, maxTokens }: EnvSpec): Action {
  if (endToken !== undefined) return [endToken];
  return Array.from({ length: maxTokens }, () => vocabulary.length - 1);
}
