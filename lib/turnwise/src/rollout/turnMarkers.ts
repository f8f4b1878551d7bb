import { tokenRole, type Batch } from "../batch/batch";
import type { EnvSpec, Info, Observation } from "../env/env";

interface Played {
  /** The observation before each turn, in order; one more may follow. */
  readonly observations: readonly Observation[];
  /** Info that the environment reported for each turn. */
  readonly infos: readonly Info[];
}

/**
 * Parts of a batch beyond tokens and rewards, if the world has them: the agent of each turn, where a subgoal was
 * chosen, the role of each token, and the vocabulary for readers.
 */
export function turnMarkers(
  { agents, roles, maxTurns: T, vocabulary, observationVocabulary, tiles }: EnvSpec,
  played: readonly Played[],
): Pick<Batch, "agentId_nt" | "switch_nt" | "role_ntl" | "script"> {
  return {
    script: { vocabulary: [...vocabulary, ...observationVocabulary], ...(tiles && { tiles }) },
    ...(agents && { agentId_nt: played.map(agentsOf) }),
    ...(roles && {
      switch_nt: Uint8Array.from({ length: played.length * T }, (_, nt) =>
        played[Math.floor(nt / T)]!.infos[nt % T]?.["switched"] === true ? 1 : 0,
      ),
      role_ntl: Uint8Array.from(
        { length: played.length * T * roles.length },
        (_, i) => tokenRole[roles[i % roles.length]!],
      ),
    }),
  };
}

const agentsOf = ({ observations, infos }: Played): string[] =>
  infos.map((_, t) => observations[t]!.agent ?? "agent");
