import { mean } from "../../base/statistics";
import type { Recipe } from "../../rule";
import { klExpectation, senseless } from "../../rule/regularizer/kl/expectation";
import { penaltiesOf, type Penalty } from "../../rule/regularizer/penalties";
import { figure, type Finding } from "./finding";
import { owns } from "./own";
import { moved, perToken, samples } from "./samples";
import { tokenGradient, type TokenGradient } from "./tokenGradient";

const AWAY = 0.3;
const check = "regularizers";

/** Checks a rule where no advantage pushes: whether it pulls back to the old policy, and its effect on entropy. */
export function regularizers(rule: Recipe): Finding {
  const away = slope(rule, AWAY);
  const back = slope(rule, -AWAY);
  const pull = (away.logProb - back.logProb) / 2;
  const drift = slope(rule, 0).logProb;
  const entropy = away.entropy;
  const figures = { "pull to the old policy": pull, "push at ratio 1": drift, "d loss / d entropy": entropy };
  if (!listens(rule)) {
    return {
      check,
      verdict: "told",
      sentence: "The loss does not look at the rule's advantages, so its regularizers cannot be told apart.",
      figures,
    };
  }
  const amiss = (sentence: string, hint: string): Finding => ({
    check,
    verdict: owns(rule, "regularizer", "loss") ? "failed" : "told",
    sentence,
    hint,
    figures,
  });
  const [lost] = charged(rule).flatMap(({ path, other, kl }) => {
    const found = senseless(other, kl);
    return found === undefined ? [] : [{ path, ...found }];
  });
  if (lost !== undefined) {
    return {
      check,
      verdict: "failed",
      sentence: `${lost.path} charges for no divergence.`,
      hint: `Its ${lost.field} must be ${lost.wanted}.`,
      figures,
    };
  }
  if (pull < -SLIGHT) {
    return amiss(
      `Without an advantage, tokens are pushed away from the old policy by ${figure(-pull)}.`,
      "The sign of the KL: it is a penalty, so the loss adds it.",
    );
  }
  if (entropy > SLIGHT) {
    return amiss(
      `The loss rises with entropy by ${figure(entropy)}, so training lowers it.`,
      "The sign of the bonus: the loss subtracts it.",
    );
  }
  const meanings = charged(rule).map(
    ({ path, other, kl }) =>
      ` In each context, the mean of ${path.slice("regularizer.".length)} ${klExpectation(other, kl).sentence}.`,
  );
  const parts = [
    ...(pull > SLIGHT ? [`pulls tokens back to the old policy or the reference by ${figure(pull)}`] : []),
    ...(entropy < -SLIGHT ? [`rewards entropy by ${figure(-entropy)}`] : []),
    ...(Math.abs(drift) > SLIGHT
      ? [`pushes every sampled token ${drift > 0 ? "down" : "up"} by ${figure(Math.abs(drift))}`]
      : []),
  ];
  return {
    check,
    verdict: parts.length === 0 ? "passed" : "told",
    sentence:
      (parts.length === 0
        ? "Without an advantage nothing moves."
        : `Without an advantage, it ${parts.join(" and ")}.`) + meanings.join(""),
    ...(Math.abs(drift) > SLIGHT
      ? {
          hint:
            pull > SLIGHT
              ? "A KL of a pull alone has no slope at ratio 1: look at the signs inside it, and for an advantage that lets the gradient through."
              : "As the slope of k1 does, it cancels in expectation where all tokens weigh the same; it is no gradient of a KL.",
        }
      : {}),
    figures,
  };
}

const SLIGHT = 1e-6;

/** The penalties that cost something, where no whole loss takes their place. */
const charged = ({ regularizer, loss }: Recipe): Penalty[] =>
  loss ? [] : penaltiesOf(regularizer, 1).filter(({ coef }) => coef > 0);

/** d loss if every token moves by 1, and if every entropy does: the mean of both games. */
function slope(rule: Recipe, shift: number): { logProb: number; entropy: number } {
  const answers = samples.map(({ rollout }) =>
    tokenGradient(rule, rollout, {
      logProb_ntl: moved(rollout, () => shift),
      advantage_ntl: perToken(rollout, () => 0),
    }),
  );
  const total = (of: (answer: TokenGradient) => Float64Array): number =>
    mean(answers.map((answer) => of(answer).reduce((sum, x) => sum + x, 0)));
  return { logProb: total((x) => x.dLogProb_ntl), entropy: total((x) => x.dEntropy_ntl) };
}

/** Whether advantages make a difference at all. */
const listens = (rule: Recipe): boolean =>
  samples.some(({ rollout }) => {
    const at = (A: number): Float64Array =>
      tokenGradient(rule, rollout, { advantage_ntl: perToken(rollout, () => A) }).dLogProb_ntl;
    const none = at(0);
    return at(1).some((x, i) => x !== none[i]);
  });
