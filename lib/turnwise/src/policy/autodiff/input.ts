import { tf } from "../../tensor";
import type { PolicySizes } from "./parameters";

/** One place of one turn: what came before the turn, and what was written in it so far. */
export interface Place {
  /** The latest tokens before the turn, or the policy's own features of the history. */
  readonly context: readonly number[];
  readonly prefix: readonly number[];
}

/**
 * Input of a custom policy, for B places at once; each needs the next token.
 *
 * The tensors are made when they are read and disposed of after the call.
 */
export interface PolicyInput {
  /**
   * [B, F] float32: the latest `window` tokens of the episode, one-hot and place after place, the latest one last. With
   * `features` of your own: those, and then the tokens of this turn, one-hot.
   */
  readonly features: tf.Tensor2D;
  /** [B, K] int32: the same tokens as numbers, the latest one last; -1 where there are none. */
  readonly tokens: tf.Tensor2D;
  /** [B] int32: how many tokens of the turn are written already, 0 .. L - 1. */
  readonly place: tf.Tensor1D;
  readonly sizes: PolicySizes;
}

/** Encoding of places as numbers. */
export interface Encoding {
  readonly sizes: PolicySizes;
  /** Length of the policy's own features; 0 where it reads tokens. */
  readonly own: number;
}

/** The tensors of some places; call it, and read it, within `tf.tidy`. */
export function inputOf({ sizes, own }: Encoding, places: readonly Place[]): PolicyInput {
  const B = places.length;
  const { window: K, tokens: S, features: F } = sizes;
  const tokens = new Int32Array(B * K).fill(-1);
  places.forEach(({ context, prefix }, b) => {
    const seen = own > 0 ? prefix : [...context, ...prefix];
    const latest = seen.slice(-K);
    tokens.set(latest, (b + 1) * K - latest.length);
  });
  const features = (): tf.Tensor2D => {
    const values = new Float32Array(B * F);
    places.forEach(({ context }, b) => {
      if (own > 0) values.set(context, b * F);
      for (let k = 0; k < K; k++) {
        const token = tokens[b * K + k]!;
        if (token >= 0) values[b * F + own + k * S + token] = 1;
      }
    });
    return tf.tensor2d(values, [B, F]);
  };
  const place = Int32Array.from(places, ({ prefix }) => prefix.length);
  return lazily<PolicyInput>({
    features,
    tokens: () => tf.tensor2d(tokens, [B, K], "int32"),
    place: () => tf.tensor1d(place, "int32"),
    sizes: () => sizes,
  });
}

/** An object whose properties are made at their first use. */
function lazily<X extends object>(makers: { readonly [K in keyof X]: () => X[K] }): X {
  const object = {} as X;
  for (const key of Object.keys(makers) as (keyof X)[]) {
    let made: X[keyof X] | undefined;
    Object.defineProperty(object, key, { enumerable: true, get: () => (made ??= makers[key]()) });
  }
  return object;
}
