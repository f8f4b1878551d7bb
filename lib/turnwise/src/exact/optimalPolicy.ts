import type { Rng } from "../base/rng";
import { exp } from "../base/elementary/exp";
import { log } from "../base/elementary/log";
import type { Batch } from "../batch/batch";
import { forEachTurn } from "../batch/cells";
import type { Action, Env, EnumerableEnv, Observation } from "../env/env";
import type { EvaluateOptions, Evaluation, History, Policy, PolicyState, Sample } from "../policy/policy";
import { expectEnumerable } from "./enumerateReturn";
import { normalized, observationKey, put, ROUND_OFF, Solver, successors, type Belief } from "./optimalReturn";
import { allTurns } from "./turns";

/** A history as it is known from a batch: what was read before each turn, and the turns. */
interface Seen {
  readonly texts: readonly string[];
  readonly actions: readonly (readonly number[])[];
}

/** Knowledge after a history: the belief, and the value of each turn there. */
interface Place {
  readonly belief: Belief;
  readonly turn: number;
  /** In the order of all turns; filled when it is first asked for. */
  worth?: Float64Array;
  /** Log-probs of the next token, by the tokens before it. */
  readonly next: Map<string, Float64Array>;
  readonly after: Map<string, Place>;
}

/**
 * The best policy of a world that can be enumerated, softened until every token is possible: a teacher that is never wrong.
 *
 * ```
 * nu(v | h, prefix) = (1 - softness) [v is best] / (number of best) + softness / V
 * ```
 * A token is best if a best turn among those that begin with the prefix and it is worth as much as any that begins with the
 * prefix. So it has an answer to any history, also to those that it would never cause itself, and to a turn whose beginning
 * is a mistake. With softness 0 it earns the optimum; its log-probs are then -Infinity where it would never go.
 *
 * It knows histories by their texts, and can read the histories of a batch of any other policy. It has no parameters.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if softness is outside [0, 1), there are more than half a million turns, or more than `maxBeliefs`
 *   information states
 * @example
 * import { enumerateReturn, make } from "turnwise";
 * import { optimalPolicy } from "turnwise/exact";
 * const env = make("LookUp-v0");
 * enumerateReturn(env, optimalPolicy(env, { softness: 0 })).J.toFixed(6); // => "1.000000"
 */
export function optimalPolicy(
  env: Env,
  o: { readonly softness?: number; readonly maxBeliefs?: number } = {},
): Policy {
  const softness = o.softness ?? 0.01;
  if (!(softness >= 0 && softness < 1)) {
    throw new RangeError(
      `Cannot make the optimal policy: softness must be from 0 to below 1, got ${softness}.`,
    );
  }
  return new OptimalPolicy(env, softness, new Answers(env, softness, o.maxBeliefs ?? 100_000));
}

class OptimalPolicy implements Policy {
  readonly name = "optimal";
  readonly parameters = new Float64Array(0);

  constructor(
    private readonly env: Env,
    private readonly softness: number,
    private readonly answers: Answers,
  ) {}

  contextOf({ observations, actions }: History): Seen {
    return { texts: observations.map(({ text }) => text), actions };
  }

  sample(
    histories: readonly History[],
    rngs: readonly Rng[],
    { temperature = 1 }: { temperature?: number } = {},
  ): Sample[] {
    const { maxTokens, endToken } = this.env.spec;
    return histories.map((history, i) => {
      const context = this.contextOf(history);
      const tokens: number[] = [];
      const logProb: number[] = [];
      do {
        const row = tempered(this.answers.next(context, tokens), temperature);
        const token = rngs[i]!.categorical(row);
        tokens.push(token);
        logProb.push(row[token]!);
      } while (tokens.length < maxTokens && tokens.at(-1) !== endToken);
      return { tokens, logProb, context };
    });
  }

  evaluate(
    batch: Batch,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    _spent?: Evaluation,
    { distributions = false }: EvaluateOptions = {},
  ): Evaluation {
    const [N, T, L] = batch.shape;
    const V = this.env.spec.vocabulary.length;
    const logProb_ntl = new Float64Array(N * T * L);
    const entropy_ntl = new Float64Array(N * T * L);
    const logProb_ntlv = distributions ? new Float64Array(N * T * L * V) : undefined;
    forEachTurn(batch, rows, turns, (n, t) => {
      const texts = batch.observation_nt[n]!.slice(0, t + 1);
      const actions = Array.from({ length: t }, (_, k) => tokensOf(batch, n, k));
      const prefix: number[] = [];
      const first = (n * T + t) * L;
      for (let cell = first; cell < first + L; cell++) {
        if (batch.mask_ntl[cell] !== 1) continue;
        const row = this.answers.next({ texts, actions }, prefix);
        logProb_ntl[cell] = row[batch.token_ntl[cell]!]!;
        entropy_ntl[cell] = entropyOf(row);
        logProb_ntlv?.set(row, cell * V);
        prefix.push(batch.token_ntl[cell]!);
      }
    });
    return { logProb_ntl, entropy_ntl, ...(logProb_ntlv && { logProb_ntlv }) };
  }

  backward(): Float64Array {
    return new Float64Array(0);
  }

  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array {
    return this.answers.next(context as Seen, prefix).slice();
  }

  clone(): Policy {
    return new OptimalPolicy(this.env, this.softness, this.answers);
  }

  state(): PolicyState {
    return { name: this.name, parameters: [], extra: { softness: this.softness } };
  }

  restore({ name, extra }: PolicyState): void {
    const { softness } = (extra ?? {}) as { softness?: unknown };
    if (name === this.name && softness === this.softness) return;
    throw new TypeError(
      `Cannot restore the optimal policy: the state must have softness ${this.softness}, ` +
        `got policy ${name} with softness ${String(softness)}.`,
    );
  }
}

/** Best actions after each history, solved when it is first met. */
class Answers {
  readonly #env: EnumerableEnv;
  readonly #solver: Solver;
  readonly #turns: readonly Action[];
  readonly #starts: Map<string, Place>;
  readonly #exact: { readonly best: (count: number) => number; readonly other: number };

  constructor(env: Env, softness: number, maxBeliefs: number) {
    this.#env = expectEnumerable(env);
    this.#solver = new Solver(this.#env, maxBeliefs);
    this.#turns = allTurns(env.spec);
    const V = env.spec.vocabulary.length;
    this.#exact = {
      best: (count) => log((1 - softness) / count + softness / V),
      other: softness === 0 ? -Infinity : log(softness / V),
    };
    const beliefs = new Map<string, Belief>();
    for (const { observation, state, probability } of this.#env.start()) {
      put(beliefs, observationKey(observation), state, probability);
    }
    this.#starts = this.#byText(beliefs, 0);
  }

  next(seen: Seen, prefix: readonly number[]): Float64Array {
    const place = this.#placeOf(seen);
    const key = prefix.join();
    let row = place.next.get(key);
    if (!row) place.next.set(key, (row = this.#rowAt(place, prefix)));
    return row;
  }

  #placeOf({ texts, actions }: Seen): Place {
    let place = this.#starts.get(texts[0]!);
    for (let t = 0; place && t < actions.length; t++) {
      const key = `${actions[t]!.join()}|${texts[t + 1]!}`;
      let next = place.after.get(key);
      if (!next) {
        const beliefs = successors(this.#env, normalized(place.belief), actions[t]!).next;
        next = this.#byText(beliefs, t + 1).get(texts[t + 1]!);
        if (next) place.after.set(key, next);
      }
      place = next;
    }
    if (place) return place;
    throw new RangeError(
      `Cannot find the best action in ${this.#env.spec.id}: the history must be possible, but no hidden state agrees with ${JSON.stringify(texts)}.`,
    );
  }

  #byText(beliefs: ReadonlyMap<string, Belief>, turn: number): Map<string, Place> {
    const places = new Map<string, Place>();
    for (const [key, belief] of beliefs) {
      const { text } = JSON.parse(key) as Observation;
      if (places.has(text)) {
        throw new RangeError(
          `Cannot find the best action in ${this.#env.spec.id}: observations must differ in their text, but two read "${text}".`,
        );
      }
      places.set(text, { belief, turn, next: new Map(), after: new Map() });
    }
    return places;
  }

  #worthAt(place: Place): Float64Array {
    const belief = normalized(place.belief);
    place.worth ??= Float64Array.from(this.#turns, (action) =>
      this.#solver.actionValue(belief, action, place.turn),
    );
    return place.worth;
  }

  /** The turns stand in the order of their tokens, so that those with one beginning are neighbors; few enough to look at all. */
  #rowAt(place: Place, prefix: readonly number[]): Float64Array {
    const worth = this.#worthAt(place);
    const most = new Float64Array(this.#env.spec.vocabulary.length).fill(-Infinity);
    this.#turns.forEach((turn, k) => {
      if (turn.length <= prefix.length || prefix.some((token, l) => turn[l] !== token)) return;
      const token = turn[prefix.length]!;
      most[token] = Math.max(most[token]!, worth[k]!);
    });
    const top = Math.max(...most);
    const best = Array.from(most, (worth) => worth >= top - ROUND_OFF);
    const logBest = this.#exact.best(best.filter(Boolean).length);
    return Float64Array.from(best, (is) => (is ? logBest : this.#exact.other));
  }
}

function tokensOf(batch: Batch, n: number, t: number): number[] {
  const [, T, L] = batch.shape;
  const first = (n * T + t) * L;
  const tokens: number[] = [];
  for (let cell = first; cell < first + L; cell++) {
    if (batch.mask_ntl[cell] === 1) tokens.push(batch.token_ntl[cell]!);
  }
  return tokens;
}

function entropyOf(row: Float64Array): number {
  return -row.reduce((sum, x) => (x === -Infinity ? sum : sum + exp(x) * x), 0);
}

function tempered(row: Float64Array, temperature: number): Float64Array {
  if (temperature === 1) return row;
  const scaled = row.map((x) => x / temperature);
  const total = log(scaled.reduce((sum, x) => sum + exp(x), 0));
  return scaled.map((x) => x - total);
}
