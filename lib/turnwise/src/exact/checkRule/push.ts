import type { Recipe } from "../../rule";
import { figure, type Finding } from "./finding";
import { owns } from "./own";
import type { Rollout } from "./rollout";
import { moved, perToken, samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { relativeDifference } from "../../base/vectors";

/** Log-ratio of each token. The product over a trajectory of these games, three tokens at most, stays below a dual clip's 3. */
const AWAY = 0.3;

/** The push in the direction of the advantage, over all tokens. */
interface Push {
  readonly least: number;
  readonly mean: number;
}

const check = "push";

/**
 * Checks how an advantage pushes a token: up if it is good, down if it is bad, and back if it went the wrong way.
 *
 * What regularizers add is taken off: the push is the difference to advantage 0.
 */
export function push(rule: Recipe): Finding {
  const good = at(rule, 0, 1);
  const bad = at(rule, 0, -1);
  const figures = figuresOf(rule, good, bad);
  const unit = Math.max(Math.abs(good.mean), Math.abs(bad.mean));
  if (unit === 0 && moves(rule)) {
    return { check, verdict: "told", sentence: "The loss does not look at the rule's advantages.", figures };
  }
  const fault = faultAtOne(rule, good, bad, unit) ?? faultAway(figures, unit);
  if (fault !== undefined) {
    const judged = owns(rule, "gate", "ratio", "loss", "aggregate", "order");
    return { check, verdict: judged ? "failed" : "told", ...fault, figures };
  }
  const sentence = `Good tokens are pushed up and bad ones down${further(figures, unit)}.`;
  return { check, verdict: "passed", sentence, figures };
}

const figuresOf = (rule: Recipe, good: Push, bad: Push) => ({
  "good, at ratio 1": good.mean,
  "bad, at ratio 1": bad.mean,
  "good, became rarer": at(rule, -AWAY, 1).mean,
  "bad, became likelier": at(rule, AWAY, -1).mean,
  "good, became likelier": at(rule, AWAY, 1).mean,
  "bad, became rarer": at(rule, -AWAY, -1).mean,
});

type PushFigures = ReturnType<typeof figuresOf>;

/** Fault in a push, with a hint. */
type Fault = Required<Pick<Finding, "sentence" | "hint">>;

function faultAtOne(rule: Recipe, good: Push, bad: Push, unit: number): Fault | undefined {
  if (unit === 0) {
    return {
      sentence: "Advantages push nothing at ratio 1.",
      hint: "The ratio may be behind a stop-gradient with nothing left for the gradient to go through.",
    };
  }
  const other = referred(rule);
  if (!(other <= SLIGHT)) {
    return {
      sentence: `Another reference policy changes the push of the advantages by ${figure(other)} of its size.`,
      hint: "The ratio is to the policy that sampled, oldLogProb_ntl; refLogProb_ntl is for a KL alone.",
    };
  }
  const slight = SLIGHT * unit;
  for (const [name, value, opposite] of [
    ["good", good, "down"],
    ["bad", bad, "up"],
  ] as const) {
    if (value.mean < -slight) {
      return {
        sentence: `A ${name} token is pushed ${opposite} at ratio 1.`,
        hint: "The sign: a loss is minimized, so it is minus the objective, and the ratio is exp(new - old).",
      };
    }
    if (value.least < -slight) {
      return {
        sentence: `Some ${name} tokens are pushed ${opposite} at ratio 1, others not.`,
        hint: "The push depends on log pi itself: a weight that multiplies log pi must be behind a stop-gradient.",
      };
    }
    if (value.mean <= slight) {
      return {
        sentence: `A ${name} token is not pushed at all at ratio 1.`,
        hint: "The ratio may be a log-ratio (exp forgotten), or the bounds of the clip may be swapped.",
      };
    }
  }
  return undefined;
}

/** Fault if tokens that went the wrong way are not pushed back. */
function faultAway(figures: PushFigures, unit: number): Fault | undefined {
  const slight = SLIGHT * unit;
  for (const went of ["good, became rarer", "bad, became likelier"] as const) {
    const value = figures[went];
    const token = `A ${went.replace(",", " token that")}`;
    if (value < -slight) {
      return {
        sentence: `${token} is pushed on instead of back.`,
        hint: "A weight that multiplies log pi must be behind a stop-gradient.",
      };
    }
    if (value <= slight) {
      return {
        sentence: `${token} is not pushed back.`,
        hint: "PPO takes the minimum of r A and clip(r) A: clip(r) A alone, or the maximum, leaves a mistake as it is.",
      };
    }
  }
  return undefined;
}

/** Describes the push where tokens have gone the right way. */
function further(
  { "good, became likelier": up, "bad, became rarer": down }: PushFigures,
  unit: number,
): string {
  const slight = SLIGHT * unit;
  const cut = [up <= slight ? "good" : "", down <= slight ? "bad" : ""].filter((x) => x !== "");
  const reach = `e^±${AWAY}`;
  if (cut.length === 2) return `, until the ratio has reached its bound before ${reach}`;
  if (cut.length === 1) return `; at a ratio of ${reach}, ${cut[0]!} ones no longer`;
  if (Math.abs(up - unit) + Math.abs(down - unit) < SLIGHT) return ", whatever the ratio";
  return `; at a ratio of ${reach}, ${figure(up / unit)} and ${figure(down / unit)} times as hard`;
}

/** Dependence of the push at ratio 1 on the reference policy. */
function referred(rule: Recipe): number {
  return Math.max(
    ...samples.map(({ rollout }) => {
      const { refLogProb_ntl } = rollout;
      const pushed = (seen: Rollout): Float64Array => {
        const ask = (A: number): Float64Array =>
          tokenGradient(rule, seen, { advantage_ntl: perToken(rollout, () => A) }).dLogProb_ntl;
        const rest = ask(0);
        return ask(1).map((x, i) => x - rest[i]!);
      };
      const other = perToken(rollout, (i) => refLogProb_ntl[i]! - AWAY);
      return relativeDifference(pushed(rollout), pushed({ ...rollout, refLogProb_ntl: other }));
    }),
  );
}

/** Whether the loss moves log-probs at all. */
const moves = (rule: Recipe): boolean =>
  samples.some(({ rollout }) => tokenGradient(rule, rollout).dLogProb_ntl.some((x) => x !== 0));

/** Smaller pushes count as none: rounding in single precision. */
const SLIGHT = 1e-4;

/** The push in the direction of the advantage, where every token's log-ratio is `shift`. */
function at(rule: Recipe, shift: number, advantage: number): Push {
  let least = Infinity;
  let sum = 0;
  let count = 0;
  for (const { rollout } of samples) {
    const logProb_ntl = moved(rollout, () => shift);
    const ask = (A: number): Float64Array =>
      tokenGradient(rule, rollout, { logProb_ntl, advantage_ntl: perToken(rollout, () => A) }).dLogProb_ntl;
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
