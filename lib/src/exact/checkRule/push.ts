import type { Recipe } from "../../rule";
import { figure, type Finding } from "./finding";
import { owns } from "./own";
import type { Rollout } from "./rollout";
import { moved, perToken, samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { relativeDifference } from "./vectors";

/** Log-ratio of each token. The product over a trajectory of these games, three tokens at most, stays below a dual clip's 3. */
const AWAY = 0.3;

/** The push in the direction of the advantage, over all tokens. */
interface Push {
  readonly least: number;
  readonly mean: number;
}

const check = "push";

/**
 * How an advantage pushes a token: up if it is good, down if it is bad, and back if it went the wrong way.
 *
 * What regularisers add is taken off: the push is the difference to advantage 0.
 */
export function push(row: Recipe): Finding {
  const good = at(row, 0, 1);
  const bad = at(row, 0, -1);
  const figures = {
    "good, at ratio 1": good.mean,
    "bad, at ratio 1": bad.mean,
    "good, became rarer": at(row, -AWAY, 1).mean,
    "bad, became likelier": at(row, AWAY, -1).mean,
    "good, became likelier": at(row, AWAY, 1).mean,
    "bad, became rarer": at(row, -AWAY, -1).mean,
  };
  const amiss = (sentence: string, hint: string): Finding => ({
    check,
    verdict: owns(row, "gate", "ratio", "loss", "aggregate", "order") ? "failed" : "told",
    sentence,
    hint,
    figures,
  });
  const unit = Math.max(Math.abs(good.mean), Math.abs(bad.mean));
  const slight = SLIGHT * unit;
  if (unit === 0) {
    if (moves(row)) {
      return { check, verdict: "told", sentence: "The loss does not look at the row's advantages.", figures };
    }
    return amiss(
      "Advantages push nothing at ratio 1.",
      "The ratio may be behind a stop-gradient with nothing left for the gradient to go through.",
    );
  }
  const other = referred(row);
  if (!(other <= SLIGHT)) {
    return amiss(
      `Another reference policy changes the push of the advantages by ${figure(other)} of its size.`,
      "The ratio is to the policy that sampled, oldLogProb_ntl; refLogProb_ntl is for a KL alone.",
    );
  }
  for (const [name, value, opposite] of [
    ["good", good, "down"],
    ["bad", bad, "up"],
  ] as const) /* prettier-ignore */ {
    if (value.mean < -slight) {
      return amiss(
        `A ${name} token is pushed ${opposite} at ratio 1.`,
        "The sign: a loss is minimised, so it is minus the objective, and the ratio is exp(new - old).",
      );
    }
    if (value.least < -slight) {
      return amiss(
        `Some ${name} tokens are pushed ${opposite} at ratio 1, others not.`,
        "The push depends on log pi itself: a weight that multiplies log pi must be behind a stop-gradient.",
      );
    }
    if (value.mean <= slight) {
      return amiss(
        `A ${name} token is not pushed at all at ratio 1.`,
        "The ratio may be a log-ratio (exp forgotten), or the bounds of the clip may be swapped.",
      );
    }
  }
  for (const [name, went] of [
    ["good", "became rarer"],
    ["bad", "became likelier"],
  ] as const) /* prettier-ignore */ {
    const value = figures[`${name}, ${went}`];
    if (value < -slight) {
      return amiss(
        `A ${name} token that ${went} is pushed on instead of back.`,
        "A weight that multiplies log pi must be behind a stop-gradient.",
      );
    }
    if (value <= slight) {
      return amiss(
        `A ${name} token that ${went} is not pushed back.`,
        "PPO takes the minimum of r A and clip(r) A: clip(r) A alone, or the maximum, leaves a mistake as it is.",
      );
    }
  }
  const { "good, became likelier": up, "bad, became rarer": down } = figures;
  const cut = [up <= slight ? "good" : "", down <= slight ? "bad" : ""].filter((x) => x !== "");
  const reach = `e^±${AWAY}`;
  const further =
    cut.length === 2
      ? `, until the ratio has reached its bound before ${reach}`
      : cut.length === 1
        ? `; at a ratio of ${reach}, ${cut[0]!} ones no longer`
        : Math.abs(up - unit) + Math.abs(down - unit) < SLIGHT
          ? ", whatever the ratio"
          : `; at a ratio of ${reach}, ${figure(up / unit)} and ${figure(down / unit)} times as hard`;
  return {
    check,
    verdict: "passed",
    sentence: `Good tokens are pushed up and bad ones down${further}.`,
    figures,
  };
}

/** How far the push at ratio 1 depends on the reference policy. */
function referred(row: Recipe): number {
  return Math.max(
    ...samples.map(({ rollout }) => {
      const { refLogProb_ntl } = rollout;
      const pushed = (seen: Rollout): Float64Array => {
        const ask = (A: number): Float64Array =>
          tokenGradient(row, seen, { advantage_ntl: perToken(rollout, () => A) }).dLogProb_ntl;
        const rest = ask(0);
        return ask(1).map((x, i) => x - rest[i]!);
      };
      const other = perToken(rollout, (i) => refLogProb_ntl[i]! - AWAY);
      return relativeDifference(pushed(rollout), pushed({ ...rollout, refLogProb_ntl: other }));
    }),
  );
}

/** Whether the loss moves log-probs at all. */
const moves = (row: Recipe): boolean =>
  samples.some(({ rollout }) => tokenGradient(row, rollout).dLogProb_ntl.some((x) => x !== 0));

/** Smaller pushes count as none: rounding in single precision. */
const SLIGHT = 1e-4;

/** The push in the direction of the advantage, where every token's log-ratio is `shift`. */
function at(row: Recipe, shift: number, advantage: number): Push {
  let least = Infinity;
  let sum = 0;
  let count = 0;
  for (const { rollout } of samples) {
    const logProb_ntl = moved(rollout, () => shift);
    const ask = (A: number): Float64Array =>
      tokenGradient(row, rollout, { logProb_ntl, advantage_ntl: perToken(rollout, () => A) }).dLogProb_ntl;
    const [pushed, rest] = [ask(advantage), ask(0)];
    rollout.batch.mask_ntl.forEach((mask, i) => {
      if (mask !== 1) return;
      const push = (rest[i]! - pushed[i]!) * advantage;
      least = Math.min(least, push);
      sum += push;
      count++;
    });
  }
  return { least, mean: sum / count };
}
