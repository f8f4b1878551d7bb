import { standInForGroup } from "../../schema";
import type { Custom } from "../custom/custom";
import { callCustom, named, customFunction } from "../custom/customFunction";
import { expectRepeats } from "../custom/customRepeats";
import { shown } from "../custom/customShown";
import { slopeOf } from "../custom/slopeOf";
import { term } from "../term";

/** One token, as a regularizer of your own sees it; log-probs in nats. */
export interface RegularizerPoint {
  readonly logProb: number;
  readonly oldLogProb: number;
  readonly advantage: number;
  /** Entropy of the distribution that the token was drawn from; no gradient goes through it. */
  readonly entropy: number;
  /** Only in a rule with `regularizer.klReference`, whose coefficient may be 0. */
  readonly refLogProb: number;
}

/** A term of the loss, and its slope in the token's log-prob. */
export interface RegularizerValue {
  readonly value: number;
  /** d value / d log pi. */
  readonly slope: number;
}

/** Term that a token adds to the loss, times its weight; without a slope, central differences compute it. */
export type RegularizerFunction = (token: RegularizerPoint) => number | RegularizerValue;

export const own = term({
  equation: String.raw`+\textstyle\sum_{ntl}w_{ntl}\,f(\log\pi)`,
  source: "yours",
  field: standInForGroup(
    customFunction<RegularizerFunction>(
      "A function of your own, added to the loss for every token; null for none.",
    ),
  ),
  label: (field) => (field === null ? [] : [field.label]),
});

const field = "regularizer.custom";

/**
 * Value and slope of a token's term, checked.
 *
 * @throws {TypeError} if the function returns something else
 * @throws {RangeError} if a number is not finite
 */
export function ownTerm(
  by: Custom<RegularizerFunction>,
  {
    refLogProb,
    ...token
  }: Omit<RegularizerPoint, "refLogProb"> & { readonly refLogProb: number | undefined },
): RegularizerValue {
  const point = (logProb: number): RegularizerPoint => ({
    ...token,
    logProb,
    get refLogProb() {
      if (refLogProb !== undefined) return refLogProb;
      throw new TypeError(
        "refLogProb must come from a reference policy: write regularizer: { klReference: { coef: 0 }, custom: ... }",
      );
    },
  });
  const at = (logProb: number): number | RegularizerValue => callCustom(field, { by }, point(logProb));
  expectRepeats(field, { by }, () => at(token.logProb));
  const given = at(token.logProb);
  const found =
    typeof given === "number"
      ? { value: given, slope: slopeOf((x) => valueOf(at(x)), token.logProb) }
      : (given as RegularizerValue | undefined);
  if (typeof found?.value !== "number" || typeof found.slope !== "number") {
    throw new TypeError(
      `Cannot apply ${named(field, { by })}: it must return a number or { value, slope }, but it returned ${shown(given)}.`,
    );
  }
  if (Number.isFinite(found.value) && Number.isFinite(found.slope)) return found;
  throw new RangeError(
    `Cannot apply ${named(field, { by })}: value and slope must be finite, but they are ${found.value} and ${found.slope} at log-prob ${token.logProb}, old ${token.oldLogProb}, advantage ${token.advantage}.`,
  );
}

const valueOf = (given: number | RegularizerValue): number =>
  typeof given === "number" ? given : given.value;
