import type { Fields, ValueOf } from "../../../schema";
import type { Part } from "../../part";
import type { KlShape } from "../kl";

/** Declaration by a file of this folder of a term that clipping triggers. */
export interface ClippingTriggered<F extends Fields = Fields> extends Part<F> {
  /** Whether it does anything, which a gate that cuts no gradient would make idle. */
  readonly active: boolean;
  /** Whether it needs the gradient of the clipped-out terms, which costs a second backward pass. */
  readonly needsClipBias: boolean;
  /** The factor on the parameter gradient, given the norm of the clipped-out one. */
  gradientScale(o: ValueOf<F>, clipBiasNorm: number): number;
  /** A penalty on the divergence from the old policy, given the fraction of tokens outside the bounds. */
  penalty(o: ValueOf<F>, fractionOutside: number): { readonly coef: number; readonly kl: KlShape } | null;
}

export const clippingTriggered = <F extends Fields>(parts: ClippingTriggered<F>): ClippingTriggered<F> =>
  parts;
