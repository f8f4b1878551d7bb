import { expectLength } from "../../base/expect";
import type { Carry } from "../order/afterTurn";
import type { Recipe } from "../recipe";
import { penaltiesOf } from "../regularizer/penalties";

export interface SurrogateInput {
  readonly shape: readonly [n: number, t: number, l: number];
  readonly logProb_ntl: ArrayLike<number>;
  readonly oldLogProb_ntl: ArrayLike<number>;
  readonly mask_ntl: ArrayLike<number>;
  readonly advantage_ntl: ArrayLike<number>;
  /** Weight of each token's objective from the rule's correction; without it each counts fully. */
  readonly correction_ntl?: ArrayLike<number>;
  /** Log-probs of the rollout engine where it is not the trainer's policy: `offPolicyMask` measures from them; else from the old ones. */
  readonly rolloutLogProb_ntl?: ArrayLike<number>;
  /** Needed by a rule with a KL to the reference policy. */
  readonly refLogProb_ntl?: ArrayLike<number>;
  /** [N, T, L, V], nats: whole distributions, needed by a rule with an exact KL: the policy's, and those that it is compared with. */
  readonly logProb_ntlv?: ArrayLike<number>;
  readonly oldLogProb_ntlv?: ArrayLike<number>;
  readonly refLogProb_ntlv?: ArrayLike<number>;
  /** Needed by a rule with an entropy bonus or an `entropyShare`; otherwise only reported. */
  readonly entropy_ntl?: ArrayLike<number>;
  /** Weight of the bonus that the rule's `entropyTarget` has reached; else the rule's `entropyCoef`. */
  readonly entropyCoef?: number;
  /** In [0, 1): a rule that leaves tokens out at random takes those of the smallest draws; without them, the first of the batch. */
  readonly draw_ntl?: ArrayLike<number>;
  /** Values before each turn, [N, T]; what they were before the update's first step; and what they should become. Own losses may read them. */
  readonly value_nt?: ArrayLike<number>;
  readonly oldValue_nt?: ArrayLike<number>;
  readonly valueTarget_nt?: ArrayLike<number>;
  /** With `trajectoryId`: multiplies each trajectory's advantage. */
  readonly carry?: Carry;
  readonly trajectoryId?: readonly string[];
  /** 1 for each trajectory that a teacher played; without it, the policy played all. */
  readonly demonstration_n?: ArrayLike<number>;
  /** Comparison of each turn with its peers, [N, T], for a gate that reads it; without it, no turn stands out. */
  readonly standing_nt?: ArrayLike<number>;
  /** Token weights of a larger batch, of which these rows are a micro-batch; else `tokenWeights` of these rows. */
  readonly weight_ntl?: ArrayLike<number>;
}

const what = "the surrogate gradient";

/** @throws {TypeError} unless all arrays fit the shape, and what the rule needs is there */
export function expectSurrogateInput(input: SurrogateInput, recipe: Recipe): void {
  const { shape } = input;
  expectLength(what, "logProb_ntl", input.logProb_ntl, shape);
  expectLength(what, "oldLogProb_ntl", input.oldLogProb_ntl, shape);
  expectLength(what, "mask_ntl", input.mask_ntl, shape);
  expectLength(what, "advantage_ntl", input.advantage_ntl, shape);
  if (input.correction_ntl !== undefined) expectLength(what, "correction_ntl", input.correction_ntl, shape);
  if (input.rolloutLogProb_ntl !== undefined)
    expectLength(what, "rolloutLogProb_ntl", input.rolloutLogProb_ntl, shape);
  if (input.weight_ntl !== undefined) expectLength(what, "weight_ntl", input.weight_ntl, shape);
  if (input.entropy_ntl !== undefined) expectLength(what, "entropy_ntl", input.entropy_ntl, shape);
  if (input.refLogProb_ntl !== undefined) expectLength(what, "refLogProb_ntl", input.refLogProb_ntl, shape);
  const [N, T] = shape;
  for (const name of ["value_nt", "oldValue_nt", "valueTarget_nt", "standing_nt"] as const) {
    const values = input[name];
    if (values !== undefined) expectLength(what, name, values, [N, T]);
  }
  expectPenaltyInputs(what, recipe, input);
  if (input.draw_ntl !== undefined) expectLength(what, "draw_ntl", input.draw_ntl, shape);
  expectEntropies(what, recipe, input);
}

/** The weight of the entropy bonus. */
export const entropyCoefOf = (
  { entropyCoef }: { readonly entropyCoef?: number },
  { regularizer }: Recipe,
): number => entropyCoef ?? regularizer.entropyCoef;

/** @throws {TypeError} unless a rule that reads entropies finds them */
export function expectEntropies(
  what: string,
  recipe: Recipe,
  input: { readonly entropyCoef?: number; readonly entropy_ntl?: unknown },
): void {
  if (input.entropy_ntl !== undefined) return;
  const { entropyShare } = recipe.regularizer;
  const cell =
    entropyCoefOf(input, recipe) !== 0 ? "entropyCoef" : entropyShare < 1 ? "entropyShare" : undefined;
  if (cell === undefined) return;
  throw new TypeError(
    `Cannot compute ${what}: recipe ${recipe.name} with ${cell} needs entropy_ntl, got none.`,
  );
}

type LogProbs = `${"logProb" | "oldLogProb" | "refLogProb"}_${"ntl" | "ntlv"}`;

type Sized = { readonly length: number } | { readonly size: number };

/** @throws {TypeError} unless a rule's penalties find the log-probs that they read, in one shape */
export function expectPenaltyInputs(
  what: string,
  { name, regularizer }: Recipe,
  input: Partial<Readonly<Record<LogProbs, Sized | undefined>>>,
): void {
  const sizeOf = (key: LogProbs): number | undefined => {
    const values = input[key];
    return values === undefined ? undefined : "size" in values ? values.size : values.length;
  };
  for (const { path, other, kl } of penaltiesOf(regularizer, 1)) {
    const exact = kl.estimator === "exact";
    const base = other === "old" ? "oldLogProb" : "refLogProb";
    const keys = exact ? (["logProb_ntlv", `${base}_ntlv`] as const) : ([`${base}_ntl`] as const);
    const cell = path.slice(path.lastIndexOf(".") + 1);
    for (const key of keys) {
      if (sizeOf(key) !== undefined) continue;
      throw new TypeError(
        `Cannot compute ${what}: recipe ${name} with ${exact ? `the exact KL of ${cell}` : cell} needs ${key}, got none.`,
      );
    }
    const cells = sizeOf("logProb_ntl")!;
    const size = sizeOf("logProb_ntlv");
    if (!exact || (size! % cells === 0 && sizeOf(keys[1]!) === size)) continue;
    throw new TypeError(
      `Cannot compute ${what}: ${keys.join(" and ")} must both have one number for every token of the vocabulary in each of ` +
        `${cells} cells, but they have ${size} and ${sizeOf(keys[1]!)}.`,
    );
  }
}
