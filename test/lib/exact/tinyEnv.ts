import type { EnumerableEnv, EnvSpec, Outcome } from "turnwise";

export const [LOOK, ZERO, ONE] = [0, 1, 2];

/** What the environment shows; policies read the token, people the text. */
export const seen = (text: string): { tokens: number[]; text: string } => ({
  tokens: [3 + ["?", "0", "1"].indexOf(text)],
  text,
});

export interface TinyOptions {
  readonly maxTurns?: number;
  /** The hidden states at the start: 0, 1, or "done", where every turn pays .5 and ends the episode. */
  readonly start?: readonly (readonly [state: unknown, probability: number])[];
  readonly spec?: Partial<EnvSpec>;
}

/**
 * Small enough for a sheet of paper: the hidden state is 0 (3/4) or 1 (1/4). LOOK costs .1 and shows the state, wrongly
 * once in five times; ZERO pays 1 in state 0 and ONE pays 2 in state 1, and both end the episode, after two turns at most.
 */
export function tinyEnv(o: TinyOptions = {}): EnumerableEnv {
  const { maxTurns = 2 } = o;
  const start = o.start ?? [
    [0, 0.75],
    [1, 0.25],
  ];
  const ends = (state: unknown, reward: number): Outcome<unknown>[] => [
    { probability: 1, state, observation: seen("over"), reward, terminated: true },
  ];
  const spec = { id: "Tiny-v0", vocabulary: ["look", "zero", "one"], maxTurns, maxTokens: 1, ...o.spec };
  return {
    spec,
    start: () =>
      start.map(([state, probability]) => ({
        probability,
        state,
        observation: seen("?"),
        reward: 0,
        terminated: false,
      })),
    transition(state: unknown, [call]: readonly number[]) {
      if (state === "done") return ends(state, 0.5);
      if (call === ZERO) return ends(state, state === 0 ? 1 : 0);
      if (call === ONE) return ends(state, state === 1 ? 2 : 0);
      // Each outcome in two halves, which belong together again.
      return [0.4, 0.1, 0.1, 0.4].map((probability, i) => ({
        probability,
        state,
        observation: seen(String(i % 3 === 0 ? state : 1 - Number(state))),
        reward: -0.1,
        terminated: false,
      }));
    },
  } as unknown as EnumerableEnv;
}
