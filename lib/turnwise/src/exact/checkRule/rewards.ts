import { square } from "../../base/elementary/square";
import type { Recipe } from "../../rule";
import { figure, type Finding } from "./finding";
import { influenceOf } from "./groups";
import { owns } from "./own";
import { paidIn, paidMore } from "./rewarded";
import { samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { cosine, norm } from "../../base/vectors";

const SHIFT = 1;
const UNIT = 10;

/** Checks the effect of raising all rewards by 1, and of counting them in tenths. A critic, if any, has learned of it. */
export function rewards(rule: Recipe): Finding {
  let shift = 0;
  let turn = 0;
  let scale = 0;
  for (const { rollout } of samples) {
    const before = tokenGradient(rule, rollout).advantage_ntl;
    const size = norm(before);
    const shifted = paidMore(rollout, () => SHIFT, () => SHIFT); // prettier-ignore
    const after = tokenGradient(rule, shifted).advantage_ntl;
    shift = Math.max(shift, norm(after.map((x, i) => x - before[i]!)) / size);
    turn = Math.max(turn, Math.sqrt(Math.max(0, 1 - square(cosine(before, after)))));
    scale = norm(tokenGradient(rule, paidIn(rollout, UNIT)).advantage_ntl) / size;
  }
  const figures = {
    "change by a shift of 1": shift,
    "of it in another direction": turn,
    "factor by rewards x 10": scale,
  };
  const { mates, strangers } = influenceOf(rule);
  const compares = mates + strangers > 1e-3;
  const keeps = shift <= 1e-3;
  const scaled =
    Math.abs(scale / UNIT - 1) < 0.02
      ? "rewards ten times as large push ten times as hard"
      : Math.abs(scale - 1) < 0.02
        ? "rewards ten times as large change nothing"
        : `rewards ten times as large push ${figure(scale)} times as hard`;
  if (owns(rule, "advantage", "scale", "reward") && compares && turn > UNCENTRED) {
    return {
      check: "rewards",
      verdict: "failed",
      sentence: `The advantage compares rewards but is not centered: 1 more for every trajectory turns it by ${figure(turn)} of its size.`,
      hint: "The baseline must rise with the rewards by as much as they do: divide its sum by the number of rewards that it sums.",
      figures,
    };
  }
  return {
    check: "rewards",
    verdict: "told",
    sentence: keeps
      ? `A reward that everybody gets changes nothing; ${scaled}.`
      : `1 more for every trajectory changes the advantages by ${figure(shift)} of their size; ${scaled}.`,
    ...(keeps || compares
      ? {}
      : { hint: "Without a baseline, what everybody earns pushes whatever was sampled." }),
    figures,
  };
}

/** Of the built-in rules that compare rewards only GiGPO's turns at all, by .03, as it discounts. */
const UNCENTRED = 0.2;
