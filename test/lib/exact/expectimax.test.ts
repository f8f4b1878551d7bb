// Uses internals of turnwise/env.
import assert from "node:assert/strict";
import { make, optimalReturn, type Action, type EnumerableEnv } from "turnwise";
import { libraryWorlds } from "turnwise/internal/env/worlds";

interface Weighted {
  readonly state: unknown;
  readonly probability: number;
}

/** All turns that differ in what they do to one of these states; found by trying them all, once for equal states. */
function turnsThatMatter(
  env: EnumerableEnv,
  met: readonly unknown[],
  known: Map<string, readonly Action[]>,
): readonly Action[] {
  const states = JSON.stringify(met);
  if (known.has(states)) return known.get(states)!;
  const { vocabulary, maxTokens, endToken } = env.spec;
  const found = new Map<string, Action>();
  const extend = (prefix: Action): void => {
    if (prefix.length === maxTokens || (prefix.length > 0 && prefix.at(-1) === endToken)) {
      const key = JSON.stringify(met.map((state) => env.transition(state, prefix)));
      if (!found.has(key)) found.set(key, prefix);
      return;
    }
    vocabulary.forEach((_, token) => extend([...prefix, token]));
  };
  extend([]);
  known.set(states, [...found.values()]);
  return known.get(states)!;
}

/**
 * The optimum by trying every turn after every history: no belief is normalized, merged or remembered, nothing is cut.
 * V(history) = max over turns of the sum of p r over all that may happen, plus V of each observation that may follow.
 */
function expectimax(env: EnumerableEnv): number {
  const known = new Map<string, readonly Action[]>();
  const group = (list: readonly (Weighted & { readonly seen: string })[]): Weighted[][] => [
    ...list
      .reduce(
        (groups, { seen, ...one }) => groups.set(seen, [...(groups.get(seen) ?? []), one]),
        new Map<string, Weighted[]>(),
      )
      .values(),
  ];
  const value = (possible: readonly Weighted[], turn: number): number => {
    if (turn === env.spec.maxTurns) return 0;
    const states = possible.map(({ state }) => state);
    const worth = turnsThatMatter(env, states, known).map((action) => {
      let paid = 0;
      const after: (Weighted & { seen: string })[] = [];
      for (const { state, probability } of possible) {
        for (const outcome of env.transition(state, action)) {
          const p = probability * outcome.probability;
          paid += p * outcome.reward;
          if (outcome.terminated) continue;
          after.push({ state: outcome.state, probability: p, seen: outcome.observation.text });
        }
      }
      return group(after).reduce((sum, next) => sum + value(next, turn + 1), paid);
    });
    return Math.max(...worth);
  };
  const starts = env
    .start()
    .map(({ state, probability, observation }) => ({ state, probability, seen: observation.text }));
  return group(starts).reduce((sum, possible) => sum + value(possible, 0), 0);
}

const SMALL: readonly (readonly [id: string, options: Readonly<Record<string, unknown>>])[] = [
  ...libraryWorlds.map(({ id, small }) => [id, small] as const),
  ["MatrixChain-v0", { game: "hiddenContexts" }],
];

describe("the optimum of every environment", () => {
  for (const [id, options] of SMALL) {
    it(`${id} with ${JSON.stringify(options)}: is what trying every turn after every history finds`, function () {
      this.timeout(30_000);
      const env = make(id, options) as EnumerableEnv;
      const [ours, plain] = [optimalReturn(env).J, expectimax(env)];
      assert.ok(Math.abs(ours - plain) < 1e-10, `${ours} against ${plain}`);
    });
  }
});
