import type { EnvSpec, Policy, TabularPolicy } from "turnwise";
import type { EnumerableEnv, Observation } from "turnwise";

/**
 * An environment and the rows of a table of histories as arrays, for a peer that plays many episodes side by side.
 *
 * A node is a hidden state together with all that was seen and done, token by token. An outcome k of token a at node s has
 * probability cumulative[s][a][k] - cumulative[s][a][k - 1]; next is -1 where the episode ends.
 */
export interface TableWorld {
  readonly rows: number;
  readonly vocabularySize: number;
  readonly maxTurns: number;
  readonly maxTokens: number;
  readonly row: readonly number[];
  readonly next: readonly (readonly (readonly number[])[])[];
  readonly cumulative: readonly (readonly (readonly number[])[])[];
  readonly reward: readonly (readonly (readonly number[])[])[];
  /** Start nodes, and the running sum of their probabilities. */
  readonly start: readonly number[];
  readonly startCumulative: readonly number[];
  /** The policy's key of each row. */
  readonly keys: readonly string[];
}

interface Place {
  readonly state: unknown;
  readonly observations: readonly Observation[];
  readonly actions: readonly (readonly number[])[];
  readonly prefix: readonly number[];
}

/** Lists every place that the environment can reach; turns of fixed length only. */
export function tableWorld(
  env: EnumerableEnv & { readonly spec: EnvSpec },
  policy: TabularPolicy,
): TableWorld {
  const { maxTurns, maxTokens, vocabulary, endToken } = env.spec;
  if (endToken !== undefined) {
    throw new RangeError(`Cannot list ${env.spec.id}: turns must have one length, but it has an end token.`);
  }
  const V = vocabulary.length;
  const nodes = new Map<string, number>();
  const rows = new Map<string, number>();
  const waiting: Place[] = [];
  const row: number[] = [];
  const numberOf = (place: Place): number => {
    const { observations, actions, prefix } = place;
    const context = (policy as Policy).contextOf({ observations, actions }) as string;
    const rowKey = [context, ...prefix].join("|");
    const key = `${JSON.stringify(place.state)} ${rowKey}`;
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const node = nodes.size;
    nodes.set(key, node);
    if (!rows.has(rowKey)) rows.set(rowKey, rows.size);
    row.push(rows.get(rowKey)!);
    waiting.push(place);
    return node;
  };
  const running = (values: readonly number[]): number[] => {
    let sum = 0;
    return values.map((value) => (sum += value));
  };
  const starts = env.start();
  const start = starts.map(({ state, observation }) =>
    numberOf({ state, observations: [observation], actions: [], prefix: [] }),
  );
  const next: number[][][] = [];
  const cumulative: number[][][] = [];
  const reward: number[][][] = [];
  // Grows while it is walked.
  for (const place of waiting) {
    const outcomes = Array.from({ length: V }, (_, token) => {
      const prefix = [...place.prefix, token];
      if (prefix.length < maxTokens) {
        return [{ probability: 1, reward: 0, next: numberOf({ ...place, prefix }) }];
      }
      const actions = [...place.actions, prefix];
      return env.transition(place.state, prefix).map((outcome) => {
        const over = outcome.terminated || actions.length === maxTurns;
        const observations = [...place.observations, outcome.observation];
        const after = { state: outcome.state, observations, actions, prefix: [] };
        return {
          probability: outcome.probability,
          reward: outcome.reward,
          next: over ? -1 : numberOf(after),
        };
      });
    });
    next.push(outcomes.map((list) => list.map((o) => o.next)));
    cumulative.push(outcomes.map((list) => running(list.map((o) => o.probability))));
    reward.push(outcomes.map((list) => list.map((o) => o.reward)));
  }
  return {
    rows: rows.size,
    vocabularySize: V,
    ...{ maxTurns, maxTokens, row, next, cumulative, reward, start },
    startCumulative: running(starts.map(({ probability }) => probability)),
    keys: [...rows.keys()],
  };
}
