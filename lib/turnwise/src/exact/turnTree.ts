import { exp } from "../base/elementary/exp";
import type { EnvSpec } from "../env/env";
import type { Policy } from "../policy/policy";

/** A beginning of a turn, and how it may go on. */
interface Beginning {
  readonly prefix: readonly number[];
  /** The tokens that the policy can take, ascending. */
  readonly tokens: readonly number[];
  /** Beginning that each of them leads to; undefined where it ends the turn. */
  readonly after: readonly (Beginning | undefined)[];
}

/**
 * The turns that a policy can take in a context, without their probabilities: most contexts of a world have the same ones,
 * and so has one context after every update.
 */
export class TurnTree {
  /** In the order in which `enumerateTurns` lists them. */
  readonly turns: readonly (readonly number[])[];
  readonly #root: Beginning;

  private constructor(root: Beginning, turns: readonly (readonly number[])[]) {
    this.#root = root;
    this.turns = turns;
  }

  /** The turns of a context, whose probabilities are written to `into`. */
  static of(spec: EnvSpec, policy: Policy, context: unknown, into: Record<number, number>): TurnTree {
    const turns: (readonly number[])[] = [];
    const begin = (prefix: readonly number[], probability: number): Beginning => {
      const logProb = policy.nextTokenLogProb(context, prefix);
      const tokens: number[] = [];
      const after: (Beginning | undefined)[] = [];
      for (let v = 0; v < logProb.length; v++) {
        const p = exp(logProb[v]!);
        if (!(p > 0)) continue;
        const turn = [...prefix, v];
        tokens.push(v);
        if (turn.length < spec.maxTokens && v !== spec.endToken) {
          after.push(begin(turn, probability * p));
          continue;
        }
        after.push(undefined);
        into[turns.length] = probability * p;
        turns.push(turn);
      }
      return { prefix, tokens, after };
    };
    return new TurnTree(begin([], 1), turns);
  }

  /** Writes the probabilities of the turns in a context, unless the policy can take other ones there: then it is false. */
  weigh(policy: Policy, context: unknown, into: Record<number, number>, first: number): boolean {
    return weighed(this.#root, policy, context, 1, into, first) >= 0;
  }
}

/** Place where the next turn is to be written; -1 if the policy can take other tokens. */
function weighed(
  { prefix, tokens, after }: Beginning,
  policy: Policy,
  context: unknown,
  probability: number,
  into: Record<number, number>,
  first: number,
): number {
  const logProb = policy.nextTokenLogProb(context, prefix);
  let at = first;
  let k = 0;
  for (let v = 0; v < logProb.length; v++) {
    const p = exp(logProb[v]!);
    if (!(p > 0)) continue;
    if (tokens[k] !== v) return -1;
    const next = after[k++];
    if (next === undefined) into[at++] = probability * p;
    else if ((at = weighed(next, policy, context, probability * p, into, at)) < 0) return -1;
  }
  return k === tokens.length ? at : -1;
}
