import type { Recipe } from "../../rule";
import { failing, figure, type Finding } from "./finding";
import { ascent } from "./expectation";
import type { Rollout } from "./rollout";
import { moved, samples } from "./samples";
import { tokenGradient, type TokenGradient } from "./tokenGradient";
import { relativeDifference } from "../../base/vectors";

const check = "masked cells";

/** Checks that the contents of masked cells change nothing, be they numbers or NaN, and that no masked cell gets a gradient. */
export function maskedCells(rule: Recipe): Finding {
  let number = 0;
  let nan = 0;
  let pushed = 0;
  for (const { case: one, rollout } of samples) {
    const clean = ask(rule, rollout, 0);
    const before = ascent(rollout, one.policy, clean);
    const change = (filler: number): number => {
      const other = ask(rule, filled(rollout, filler), filler);
      const after = ascent(rollout, one.policy, other);
      return Math.max(
        relativeDifference(before, after),
        relativeDifference(kept(rollout, clean.advantage_ntl), kept(rollout, other.advantage_ntl)),
      );
    };
    number = Math.max(number, change(3.7), change(-2.3));
    nan = Math.max(nan, change(NaN));
    clean.dLogProb_ntl.forEach((x, i) => {
      if (rollout.batch.mask_ntl[i] !== 1 && x !== 0) pushed++;
    });
  }
  const figures = {
    "change by numbers": number,
    "change by NaN": nan,
    "masked cells with a gradient": pushed,
  };
  const failed = failing(check, figures);
  if (number > TOLERANCE) {
    return failed(
      `What stands in masked cells changes the update by ${figure(number)} of its size.`,
      "Tool output and padding take part: weigh by mask_ntl, and divide by its sum.",
    );
  }
  if (pushed > 0) {
    return failed(
      `${pushed} masked cells get a gradient.`,
      "Multiply the objective by mask_ntl before summing it.",
    );
  }
  if (nan > TOLERANCE) {
    return failed(
      "NaN in masked cells reaches the update.",
      "NaN times a mask of 0 is NaN: replace masked cells by 0 first (tf.where on the inputs, `mask === 1 ? x : 0`).",
    );
  }
  return {
    check,
    verdict: "passed",
    sentence: "Masked cells change nothing, whether they hold numbers or NaN.",
    figures,
  };
}

/** Above the rounding of single precision. */
const TOLERANCE = 1e-4;

function ask(rule: Recipe, rollout: Rollout, filler: number): TokenGradient {
  const logProb_ntl = moved(rollout, (i) => (i % 3) * 0.05 - 0.05);
  rollout.batch.mask_ntl.forEach((mask, i) => {
    if (mask !== 1) logProb_ntl[i] = 2 * filler;
  });
  return tokenGradient(rule, rollout, { logProb_ntl });
}

function filled(rollout: Rollout, filler: number): Rollout {
  const { batch } = rollout;
  const fill = (x_ntl: Float64Array, by: number): Float64Array =>
    x_ntl.map((x, i) => (batch.mask_ntl[i] === 1 ? x : by));
  return {
    ...rollout,
    refLogProb_ntl: fill(rollout.refLogProb_ntl, 3 * filler),
    entropy_ntl: fill(rollout.entropy_ntl, 4 * filler),
    logProb_ntlv: rollout.logProb_ntlv.map((x, k) => {
      const cell = Math.floor((k * batch.mask_ntl.length) / rollout.logProb_ntlv.length);
      return batch.mask_ntl[cell] === 1 ? x : 5 * filler;
    }),
    batch: {
      ...batch,
      token_ntl: batch.token_ntl.map((token, i) => (batch.mask_ntl[i] === 1 ? token : token + 1)),
      oldLogProb_ntl: fill(batch.oldLogProb_ntl, filler),
    },
  };
}

function kept({ batch }: Rollout, x_ntl: Float64Array): Float64Array {
  return x_ntl.filter((_, i) => batch.mask_ntl[i] === 1);
}
