import { log } from "../base/elementary/log";
import { power } from "../base/elementary/power";
import type { Action, EnvSpec, Outcome } from "./env";

/** The outcomes of one turn, ready to be drawn from. */
export interface Turn<State> {
  readonly outcomes: readonly Outcome<State>[];
  /** Nats; undefined where there is a single outcome. */
  readonly logProb: Float64Array | undefined;
}

interface Rules<State> {
  readonly spec: EnvSpec;
  transition(state: State, action: Action): readonly Outcome<State>[];
}

/** Turns kept; with more of them all are forgotten, so that long runs of a large world need no more memory. */
const KEPT = 4096;
/** Number of actions above which the same action hardly ever comes again. */
const FEW_ACTIONS = 4096;

/**
 * The outcomes of a game's turns, each computed once per state: the episodes of a batch meet the same states, and a step that
 * was taken before allocates nothing.
 *
 * States are told apart by identity, which is exact as outcomes that are kept hold the same states every time.
 */
export class Transitions<State> {
  readonly #rules: Rules<State>;
  readonly #vocabulary: number;
  readonly #keeps: boolean;
  readonly #known = new Map<State, Map<number, Turn<State>>>();
  #count = 0;

  constructor(rules: Rules<State>) {
    const { vocabulary, maxTokens } = rules.spec;
    this.#rules = rules;
    this.#vocabulary = vocabulary.length;
    this.#keeps = power(vocabulary.length + 1, maxTokens) <= FEW_ACTIONS;
  }

  of(state: State, action: Action): Turn<State> {
    return this.within(state, action, 0, action.length);
  }

  /** The same for the tokens that lie in an array from a place on. */
  within(state: State, tokens: ArrayLike<number>, from: number, count: number): Turn<State> {
    if (!this.#keeps) return this.#compute(state, listed(tokens, from, count));
    let turns = this.#known.get(state);
    // The first token counts most, and a shorter turn has no last digit: no two actions have one number.
    let number = 0;
    for (let i = from; i < from + count; i++) number = number * (this.#vocabulary + 1) + tokens[i]! + 1;
    const known = turns?.get(number);
    if (known) return known;
    const turn = this.#compute(state, listed(tokens, from, count));
    if (this.#count++ === KEPT) {
      this.#known.clear();
      this.#count = 1;
      turns = undefined;
    }
    if (!turns) this.#known.set(state, (turns = new Map<number, Turn<State>>()));
    turns.set(number, turn);
    return turn;
  }

  #compute(state: State, action: Action): Turn<State> {
    const outcomes = this.#rules.transition(state, action);
    return { outcomes, logProb: outcomes.length === 1 ? undefined : logProbabilities(outcomes) };
  }
}

const listed = (tokens: ArrayLike<number>, from: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => tokens[from + i]!);

export function logProbabilities(outcomes: readonly Outcome<unknown>[]): Float64Array {
  return Float64Array.from(outcomes, (outcome) => log(outcome.probability));
}
