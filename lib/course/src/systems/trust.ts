import { GameEnv, type Game } from "turnwise/internal/env/game";
import type { Observation } from "turnwise/internal/env/env";

interface TrustState {
  readonly door: number;
  readonly compromised: boolean;
  readonly said: boolean;
  readonly audited: boolean;
}

const DOORS = 3;
const AUDIT = DOORS;
const AUDIT_PRICE = 0.1;
const MARKED = { compromised: 0.8, honest: 0.1 } as const;

/**
 * A scout sees which of three doors is right and sends a word to an opener; one return pays both.
 *
 * With probability `compromised`, the scout is, for the whole episode: the opener then gets one of the two other words. A guard marks
 * eight of ten such words, and one of ten honest ones. For .1, the opener can have the scout isolated and the door looked up.
 */
export function trustEnv(compromised: number): GameEnv<TrustState> {
  return new GameEnv(trustGame(compromised));
}

function trustGame(share: number): Game<TrustState> {
  const doors = Array.from({ length: DOORS }, (_, door) => door);
  const seen = (agent: "scout" | "opener", first: number, text: string): Observation[] =>
    doors.map((door) => ({ tokens: [first + door], text: `${text} ${door + 1}`, agent }));
  const shown = seen("scout", DOORS + 1, "the door is");
  const words = seen("opener", 2 * DOORS + 1, "the scout says");
  const marked = seen("opener", 3 * DOORS + 1, "marked by the guard: the scout says");
  const truth = seen("opener", 4 * DOORS + 1, "looked up: the door is");
  const over: Observation = { tokens: [5 * DOORS + 1], text: "over" };
  const names = (what: string): string[] => doors.map((door) => `${what}-${door + 1}`);
  return {
    spec: {
      id: "Trust-v0",
      skill: "rely on another agent's word, unless a guard suspects it",
      vocabulary: [...doors.map((door) => String(door + 1)), "AUDIT"],
      observationVocabulary: [...["door", "says", "marked", "truth"].flatMap(names), "over"],
      maxTurns: 3,
      maxTokens: 1,
      agents: ["scout", "opener"],
      options: { compromised: share },
    },
    start: () =>
      [false, true].flatMap((compromised) =>
        doors
          .map((door) => ({
            probability: (compromised ? share : 1 - share) / DOORS,
            state: { door, compromised, said: false, audited: false },
            observation: shown[door]!,
            reward: 0,
            terminated: false,
            taskId: `door-${door + 1}`,
          }))
          .filter(({ probability }) => probability > 0),
      ),
    transition(state, action) {
      const { door, compromised, said, audited } = state;
      const token = action[0]!;
      const end = (success: boolean) => [
        {
          probability: 1,
          state,
          observation: over,
          reward: success ? 1 : 0,
          terminated: true,
          info: { call: "answer", success } as const,
        },
      ];
      if (!said) {
        if (token === AUDIT) return end(false);
        const arriving = compromised ? doors.filter((word) => word !== token) : [token];
        const mark = compromised ? MARKED.compromised : MARKED.honest;
        return arriving.flatMap((word) =>
          [
            { observation: marked[word]!, chance: mark },
            { observation: words[word]!, chance: 1 - mark },
          ].map(({ observation, chance }) => ({
            probability: chance / arriving.length,
            state: { ...state, said: true },
            observation,
            reward: 0,
            terminated: false,
            info: { call: "move", success: false } as const,
          })),
        );
      }
      if (token !== AUDIT) return end(token === door);
      if (audited) return end(false);
      return [
        {
          probability: 1,
          state: { ...state, audited: true },
          observation: truth[door]!,
          reward: -AUDIT_PRICE,
          terminated: false,
          info: { call: "tool", success: false } as const,
        },
      ];
    },
    render: ({ door, compromised, said, audited }) =>
      `door ${door + 1}, scout ${compromised ? "compromised" : "honest"}${said ? ", word sent" : ""}${audited ? ", audited" : ""}`,
  };
}
