import type { Recipe } from "../../rule";
import { ascent } from "./expectation";
import { figure, type Finding } from "./finding";
import { owns } from "./own";
import { relayout } from "./relayout";
import type { Rollout } from "./rollout";
import { samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { cosine, norm } from "../../base/vectors";

const check = "padding";

/** Room that no trajectory uses, and turns in which the policy says nothing, change nothing. */
export function padding(rule: Recipe): Finding {
  let room = none;
  let silent = none;
  let declared = "length" in rule.aggregate && rule.aggregate.length === "maximum";
  for (const { case: one, rollout } of samples) {
    const before = ascent(rollout, one.policy, tokenGradient(rule, rollout));
    const change = (o: Parameters<typeof relayout>[1]): { factor: number; turn: number } => {
      const other = relayout(rollout, o);
      const after = ascent(other, one.policy, tokenGradient(rule, other));
      return norm(before) === 0
        ? none
        : { factor: norm(after) / norm(before), turn: 1 - cosine(before, after) };
    };
    const larger = change({ turns: 1, tokens: 2 });
    declared &&= Math.abs(larger.factor / largestLength(rollout) - 1) <= TOLERANCE;
    const longer = change({ turns: 1, silentTurn: true });
    if (far(larger) >= far(room)) room = larger;
    if (far(longer) >= far(silent)) silent = longer;
  }
  const figures = {
    "factor by padding": room.factor,
    "1 - cosine by padding": room.turn,
    "factor by a silent turn": silent.factor,
    "1 - cosine by a silent turn": silent.turn,
  };
  const own = owns(rule, "advantage", "scale", "ratio", "gate", "aggregate", "filter", "loss", "reward");
  const verdict = own ? "failed" : "told";
  if (!(far(room) <= TOLERANCE)) {
    return {
      check,
      verdict: declared ? "told" : verdict,
      sentence: `Padding counts: one turn and two tokens more of room multiply the update by ${figure(room.factor)}.`,
      hint:
        own && !declared
          ? 'Divide by the number of sampled tokens, the sum of mask_ntl. If the largest length is meant, as in Dr. GRPO, write aggregate: { kind: "constant", length: "maximum" }.'
          : "Its denominator is the largest length, turns x tokens of the layout.",
      figures,
    };
  }
  if (!(far(silent) <= TOLERANCE)) {
    // A baseline may go by turns, whoever takes them; a formula over tokens may not.
    const formula = owns(rule, "scale", "ratio", "gate", "aggregate", "loss");
    return {
      check,
      verdict: formula ? "failed" : "told",
      sentence: `A turn without a token of the policy counts: it changes the update by ${figure(far(silent))}.`,
      hint: own
        ? "Count turns by their sampled tokens, not by turnCount_n: a turn may be the world's alone."
        : "It counts every turn of a trajectory, also one in which only the world speaks.",
      figures,
    };
  }
  return {
    check,
    verdict: "passed",
    sentence: "Padding and turns without sampled tokens change nothing.",
    figures,
  };
}

const TOLERANCE = 1e-4;

const none = { factor: 1, turn: 0 };

/** Computes in the larger layout a step that is divided by turns x tokens. */
function largestLength({ batch }: Rollout): number {
  const [, T, L] = batch.shape;
  return (T * L) / ((T + 1) * (L + 2));
}

const far = ({ factor, turn }: { factor: number; turn: number }): number =>
  Number.isFinite(factor) ? Math.max(Math.abs(factor - 1), turn) : Infinity;
