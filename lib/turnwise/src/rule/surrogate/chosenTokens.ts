import type { Metrics } from "../../base/glossary";
import type { Recipe } from "../recipe";
import { covarianceOf } from "../regularizer/covariance";
import { covaryingTokens } from "../regularizer/covariance/tokens";
import { entropyThreshold } from "../regularizer/entropyShare";
import type { SurrogateInput } from "./surrogateInput";

/** The tokens of a loss that a rule treats apart, for their entropy or for their covariance; no gradient goes through the choice. */
export interface ChosenTokens {
  /** 1 where a token takes no part in the objective; undefined where all of them do. */
  readonly leftOut_ntl: Uint8Array | undefined;
  /** Cells that are charged for |log pi - log pi_old|, and what a nat costs. */
  readonly charged: readonly number[];
  readonly charge: number;
  readonly metrics: Metrics;
}

/** Below this distance, in nats, a token has not moved: rounding may move the log-prob of a policy that nothing has. */
export const unmoved = 1e-12;

/** Entropies that differ by no more, in nats, are equal. */
const roundOff = 1e-9;

/** Whether a rule treats any token apart. */
export const choosesTokens = ({ regularizer: { entropyShare, covariance } }: Recipe): boolean =>
  entropyShare < 1 || covarianceOf(covariance).active;

const nothing: ChosenTokens = { leftOut_ntl: undefined, charged: [], charge: 0, metrics: {} };

/** Tokens that the rule's `entropyShare` and `covariance` select among the active ones. */
export function chosenTokens(
  input: SurrogateInput,
  recipe: Recipe,
  advantage_ntl: ArrayLike<number>,
  active_ntl: ArrayLike<number>,
): ChosenTokens {
  const { entropyShare: share, covariance } = recipe.regularizer;
  const rule = covarianceOf(covariance);
  if (!choosesTokens(recipe)) return nothing;
  const cells: number[] = [];
  for (let i = 0; i < active_ntl.length; i++) if (active_ntl[i] === 1) cells.push(i);
  if (cells.length === 0) return nothing;
  const leftOut_ntl = new Uint8Array(active_ntl.length);
  if (share < 1) {
    const entropy_ntl = input.entropy_ntl!;
    const threshold = entropyThreshold(
      cells.map((i) => entropy_ntl[i]!),
      share,
    );
    for (const i of cells) if (!(entropy_ntl[i]! >= threshold - roundOff)) leftOut_ntl[i] = 1;
  }
  const taken = !rule.active
    ? []
    : rule
        .taken(covariance, covaryingTokens(input, recipe, advantage_ntl, active_ntl))
        .map(({ cell }) => cell);
  const charge = rule.charge(covariance);
  if (charge === null) for (const i of taken) leftOut_ntl[i] = 1;
  const leavesOut = share < 1 || charge === null;
  const charged = charge === null ? [] : taken;
  return {
    leftOut_ntl: leavesOut ? leftOut_ntl : undefined,
    charged,
    charge: charge ?? 0,
    metrics: {
      ...(leavesOut && {
        "policy/fracDropped": leftOut_ntl.reduce((sum, one) => sum + one, 0) / cells.length,
      }),
      ...(charge !== null && { "policy/fracPenalized": charged.length / cells.length }),
    },
  };
}

/** The weights of the objective: 0 for the tokens that are left out. */
export function withoutLeftOut(
  weight_ntl: ArrayLike<number>,
  { leftOut_ntl }: ChosenTokens,
): ArrayLike<number> {
  return leftOut_ntl === undefined
    ? weight_ntl
    : Float64Array.from(leftOut_ntl, (out, i) => (out === 1 ? 0 : weight_ntl[i]!));
}

/** Adds the penalties of charged tokens; the slopes are added to `dLogProb_ntl`. */
export function chargeMoved(
  { logProb_ntl, oldLogProb_ntl }: SurrogateInput,
  { charged, charge }: ChosenTokens,
  weight_ntl: ArrayLike<number>,
  dLogProb_ntl: Float64Array,
): number {
  let sum = 0;
  for (const i of charged) {
    const moved = logProb_ntl[i]! - oldLogProb_ntl[i]!;
    if (Math.abs(moved) <= unmoved) continue;
    sum += weight_ntl[i]! * charge * Math.abs(moved);
    dLogProb_ntl[i]! += weight_ntl[i]! * charge * Math.sign(moved);
  }
  return sum;
}
