import { tokenRole, type Batch } from "../batch/batch";
import type { EnvSpec, Info, Observation } from "../env/env";

interface Played {
  /** The observation before each turn, in order; one more may follow. */
  readonly observations: readonly Observation[];
  /** What the environment reported of each turn. */
  readonly infos: readonly Info[];
}

/**
 * What a batch says beyond tokens and rewards, as far as the world has it: who took each turn, where a subgoal was
 * chosen, and what each token decides; and the words in which people read it.
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
