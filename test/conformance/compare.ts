// Uses internals of turnwise/rule.
import { advantages, recipe, surrogateGradient, type Recipe } from "turnwise";
import {
  carriedAdvantage,
  carryAfterTurn,
  recipeNeeds,
  tokenWeights,
  trainedTokens,
  type Carry,
} from "turnwise/internal/rule/index";
import { corrected } from "turnwise/internal/rule/correction/corrected";
import { gateOf } from "turnwise/internal/rule/gate/index";
import type { Comparison } from "./comparisons.js";
import { sampled, setting, stored, type Result, type Setting, type Step } from "./fixture.js";
import type { Form } from "./forms.js";

/** The worst distances of a row from the released code, relative to the largest value where that is above 1. */
export interface Deviation {
  readonly advantage: number;
  readonly loss: number;
  /** Relative to the largest derivative. */
  readonly gradient: number;
  /** Of a rule that updates turn by turn. */
  readonly carry?: number;
}

export type Part = keyof Deviation;

type Computed = Pick<Result, "advantage" | "loss" | "gradient">;

/** A row as it stands, or with the fields and the form of a comparison, against what is stored; by batch. */
export function deviations(
  comparison: Comparison,
  as: "it stands" | "stated",
): Map<string, Deviation | RangeError> {
  const { old, results } = stored(comparison.case);
  const row = recipe(comparison.row, as === "stated" ? comparison.fields : undefined);
  const form = as === "stated" ? (comparison.form ?? {}) : {};
  return new Map(
    results.map((result): [string, Deviation | RangeError] => {
      const given = setting(result.batch, old, comparison);
      try {
        return [
          result.batch,
          "steps" in result
            ? ofSteps(given, row, form, result.steps)
            : ofWhole(given, row, form, result, comparison.engine),
        ];
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return [result.batch, error];
      }
    }),
  );
}

function ofWhole(
  given: Setting,
  row: Recipe,
  form: Form,
  expected: Result,
  engine: Comparison["engine"],
): Deviation {
  const at = sampled(given.batch);
  const advantage_ntl = baseAdvantage(given, row, form, at);
  return distances(computed(given, row, form, advantage_ntl, at, engine), expected);
}

function ofSteps(given: Setting, row: Recipe, form: Form, steps: readonly Step[]): Deviation {
  const advantage_ntl = baseAdvantage(given, row, form, sampled(given.batch));
  let carry: Carry = new Map<string, number>();
  const found: Deviation[] = [];
  for (const step of steps) {
    const at = sampled(given.batch, step.turn);
    const { batch } = given;
    const ours = computed(given, row, form, advantage_ntl, at, undefined, { turn: step.turn, carry });
    const carried_ntl = carriedAdvantage(batch.shape, advantage_ntl, batch.trajectoryId, carry);
    const advantage = at.map((i) => carried_ntl[i]!);
    const after = { ...batch, ...given, logProb_ntl: given.after_ntl, turns: [step.turn], carry };
    carry = carryAfterTurn(row, after).carry;
    const handed = batch.trajectoryId.map((id) => carry.get(id) ?? 1);
    found.push({ ...distances({ ...ours, advantage }, step), carry: distance(handed, step.carry, 1) });
  }
  return worst(found);
}

/** The base advantage, scaled as the form says. */
function baseAdvantage(given: Setting, row: Recipe, form: Form, at: readonly number[]): Float64Array {
  const { batch, values, refLogProb_ntl, oldLogProb_ntlv, gradientSquare_n } =
    form.credited?.(given) ?? given;
  const needs = recipeNeeds(row);
  const facts = {
    ...(needs.distributions.old && { oldLogProb_ntlv }),
    ...(needs.gradients && { gradientSquare_n }),
  };
  const { advantage_ntl } = advantages(batch, row, needs.value ? values : undefined, refLogProb_ntl, facts);
  if (form.scaled === undefined) return advantage_ntl;
  const scaled = form.scaled(
    at.map((i) => advantage_ntl[i]!),
    at,
    given,
  );
  const out = new Float64Array(advantage_ntl.length);
  at.forEach((i, k) => (out[i] = scaled[k]!));
  return out;
}

function computed(
  given: Setting,
  row: Recipe,
  form: Form,
  advantage_ntl: Float64Array,
  at: readonly number[],
  engine: Comparison["engine"],
  step?: { readonly turn: number; readonly carry: Carry },
): Computed {
  const { batch } = given;
  const { added, weight } = form;
  const rolloutLogProb_ntl = given.refLogProb_ntl;
  const { trained_ntl: mask_ntl, correction_ntl } = corrected(
    { ...batch, ...(engine && { rolloutLogProb_ntl }) },
    row,
    Uint8Array.from(trainedTokens(batch, row)),
  );
  const guarded = weight?.(given, mask_ntl);
  const weight_ntl = tokenWeights(batch.shape, mask_ntl, row.aggregate).map((w, i) =>
    w === 0 || guarded === undefined ? w : w * guarded(i),
  );
  const { trajectoryId, shape } = batch;
  const { standing_nt } = gateOf(row.gate).readsStanding ? advantages(batch, row) : {};
  const input = {
    ...given,
    shape,
    trajectoryId,
    mask_ntl,
    weight_ntl,
    advantage_ntl,
    ...(correction_ntl && { correction_ntl }),
    ...(batch.demonstration_n && { demonstration_n: batch.demonstration_n }),
    ...(standing_nt && { standing_nt }),
  };
  const result = surrogateGradient(
    step === undefined ? input : { ...input, carry: step.carry },
    row,
    step && [step.turn],
  );
  let { loss } = result;
  const d = at.map((i) => result.dLogProb_ntl[i]!);
  if (added !== undefined) {
    at.forEach((i, k) => {
      const { value, slope } = added(i, given);
      loss += weight_ntl[i]! * value;
      d[k]! += weight_ntl[i]! * slope;
    });
  }
  return { advantage: at.map((i) => advantage_ntl[i]!), loss, gradient: d };
}

function distances(ours: Computed, theirs: Computed): Deviation {
  return {
    advantage: distance(ours.advantage, theirs.advantage, 1),
    loss: distance([ours.loss], [theirs.loss], 1),
    gradient: distance(ours.gradient, theirs.gradient, 0),
  };
}

/** The largest difference, in units of the largest of theirs, or of `least` if that is more. */
function distance(ours: readonly number[], theirs: readonly number[], least: number): number {
  if (ours.length !== theirs.length) {
    throw new TypeError(
      `Cannot compare: both must have one number per token, but ${String(ours.length)}, ${String(theirs.length)}.`,
    );
  }
  const size = Math.max(least, ...theirs.map(Math.abs));
  return Math.max(...ours.map((x, k) => Math.abs(x - theirs[k]!))) / (size === 0 ? 1 : size);
}

/** The largest of each part. */
export function worst(found: readonly Deviation[]): Deviation {
  const of = (part: Part): number => Math.max(...found.map((one) => one[part] ?? 0));
  const all = { advantage: of("advantage"), loss: of("loss"), gradient: of("gradient") };
  return found.some(({ carry }) => carry !== undefined) ? { ...all, carry: of("carry") } : all;
}
