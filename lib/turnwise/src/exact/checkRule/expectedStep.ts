import { recipe, type Recipe, type RecipeOverrides } from "../../rule";
import { exactReturn, expectedUpdate } from "./expectation";
import { figure, type Finding } from "./finding";
import { cases, type Case } from "./games";
import { isOwn } from "./own";
import { cosine, dot, largest, norm } from "../../base/vectors";

/** G of the groups whose compositions are all enumerated. */
const GROUP_SIZE = 4;
/** The batch whose standard error bias is compared with. */
const GROUPS = 64;

/** A rule's expected first step beside the exact gradient. */
interface Direction {
  readonly cosine: number;
  /** Length of E[u] - c grad J, c by least squares, in standard errors of a batch of 64 groups. */
  readonly biasInErrors: number;
  /** Share of the logits that E[u] moves the wrong way or not at all, among those with a gradient. */
  readonly wrongSign: number;
}

function directionOf(rule: Recipe, { game, policy }: Case): Direction {
  const { gradient } = exactReturn(game, policy);
  const { mean, variance } = expectedUpdate(rule, game, policy, GROUP_SIZE);
  const scale = Math.max(0, dot(mean, gradient) / dot(gradient, gradient));
  const bias = norm(mean.map((x, i) => x - scale * gradient[i]!));
  const error = Math.sqrt(variance.reduce((sum, x) => sum + x, 0) / GROUPS);
  const floor = 0.01 * largest(gradient);
  const moves = [...gradient.keys()].filter((i) => Math.abs(gradient[i]!) > floor);
  // A mean that is 0 but for rounding has no direction.
  const size = norm(mean) <= 1e-12 * error ? 0 : norm(mean);
  const wrong = moves.filter((i) => !(mean[i]! * Math.sign(gradient[i]!) > 1e-6 * size));
  return {
    cosine: size === 0 ? 0 : cosine(mean, gradient),
    biasInErrors: bias <= 1e-9 * size ? 0 : bias / error,
    wrongSign: wrong.length / moves.length,
  };
}

/**
 * The least cosine and the largest share of wrong signs that a custom rule may have before they are noted. In groups of four, no built-in rule
 * falls below .8 and above 1/4 on "look up", or below .96 and above 0 on "two jobs", but for three that divide parts of the
 * credit by deviations of their own (gdpo .25 and .92, mtGrpo .36 and .91, hgpo .64 and .92) and one that trains a token in
 * five (highEntropy .48 and .96); on "jackpot", which is made for that, all that divide by a deviation turn round. So the
 * first game tells, and the others judge.
 */
const limits = {
  lookUp: { cosine: 0.75, wrongSign: 0.4 },
  twoJobs: { cosine: 0.85, wrongSign: 0 },
} as const;

const check = "expected update";

/** Checks the step of the rule in expectation: over every composition of a group of four, on three games. */
export function expectedStep(rule: Recipe): Finding {
  if (rule.reward.environment === 0) {
    const sentence = "It pays no reward of the task, so the exact gradient of the return is not its aim.";
    return { check, verdict: "told", sentence, figures: {} };
  }
  const found = Object.entries(cases).map(([key, one]) => ({ key, one, ...directionOf(rule, one) }));
  const figures = Object.fromEntries(
    found.flatMap(({ one, cosine, biasInErrors, wrongSign }) => [
      [`cosine, ${one.game.name}`, cosine],
      [`bias in standard errors, ${one.game.name}`, biasInErrors],
      [`wrong signs, ${one.game.name}`, wrongSign],
    ]),
  );
  const list = found.map(({ one, cosine }) => `${digits(cosine)} on "${one.game.name}"`).join(", ");
  const judged = found.flatMap((entry) =>
    entry.key in limits ? [{ ...entry, limit: limits[entry.key as keyof typeof limits] }] : [],
  );
  const lowest = judged.reduce((a, b) => (b.cosine < a.cosine ? b : a));
  // What climbs something else than the mean return may be meant, and may cost some of that; its opposite is not.
  const descends = lowest.cosine < DESCENDS;
  const unlike = judged.find(
    ({ cosine, wrongSign, limit }) => cosine < limit.cosine || wrongSign > limit.wrongSign,
  );
  if (descends || (isOwn(rule) && unlike !== undefined)) {
    const { one, cosine, wrongSign } = descends ? lowest : unlike!;
    const meaning = descends
      ? ". A cosine below 0 means that on average a small step lowers the mean return"
      : "";
    const left = descends ? withoutEntropyBonus(rule, one) : undefined;
    const isOutweighed = left !== undefined && left.cosine >= DESCENDS;
    return {
      check,
      verdict: cosine < TURNED && !isOutweighed ? "failed" : "noted",
      sentence: `On "${one.game.name}" the expected update has cosine ${digits(cosine)} with the exact gradient and the wrong sign, or none, in ${figure(100 * wrongSign)} % of the logits${meaning}.`,
      hint: isOutweighed
        ? `Its bonus for entropy outweighs its advantages there: without it the cosine is ${digits(left.cosine)}. Lower regularizer.entropyCoef, ${rule.regularizer.entropyCoef}.`
        : hintOf(cosine),
      figures,
    };
  }
  return {
    check,
    verdict: "told",
    sentence: `Cosine of the expected update with the exact gradient, groups of ${GROUP_SIZE}: ${list}.`,
    ...known(rule, found),
    figures,
  };
}

/** The step of the rule with its advantages alone; undefined where it has no bonus for entropy. */
function withoutEntropyBonus(rule: Recipe, one: Case): Direction | undefined {
  const { regularizer, loss } = rule;
  if (loss !== null || !(regularizer.entropyCoef > 0)) return undefined;
  return directionOf({ ...rule, regularizer: { ...regularizer, entropyCoef: 0 } }, one);
}

/** A cosine: its distance from 1 is what one reads. */
const digits = (cosine: number): string => String(Number(cosine.toFixed(4)));

/** A cosine below which a rule descends the mean return: 0, but for rounding. No built-in rule does on the games that judge. */
const DESCENDS = -1e-9;
/** A cosine below which it is nearly the opposite of the gradient, which nobody means. */
const TURNED = -0.5;

function hintOf(cosine: number): string {
  if (cosine < TURNED) return "It descends: a sign, or old and new log-probs swapped.";
  const faults =
    "credit that reaches the wrong turn or trajectory, a mean over the wrong axis, a deviation over the wrong set";
  if (cosine < DESCENDS)
    return `Every built-in rule ascends there. Unless the rule is meant to climb something else at the cost of the mean return: ${faults}.`;
  if (cosine === 0) return `On average it does not move there. Unless that is meant: ${faults}.`;
  return `No promise is broken, so this may be what you mean: the rule climbs something else than the mean return. If it is not: ${faults}.`;
}

/** Attributes the rule's bias to its fields, by removing one after the other. */
function known(rule: Recipe, found: readonly ({ one: Case } & Direction)[]): { hint?: string } {
  if (found.every(({ cosine }) => cosine > UNBIASED)) return { hint: "Unbiased here, up to its scale." };
  const turned = found.filter(({ cosine }) => cosine < 0).map(({ one }) => `"${one.game.name}"`);
  // Where it turned round, the cosine of two logits is -1 and tells no more.
  const [first, ...others] = found.filter(({ cosine }) => cosine > 0);
  if (first === undefined) return { hint: "On average it does not move on any of them." };
  const worst = others.reduce((a, b) => (b.cosine < a.cosine ? b : a), first);
  const causes = without(rule)
    .map(([name, other]) => ({ name, ...directionOf(other, worst.one) }))
    .filter(({ cosine }) => cosine - worst.cosine > 0.1 * (1 - worst.cosine))
    .map(({ name, cosine }) => `its ${name} (without it ${digits(cosine)})`);
  const by = causes.length === 0 ? "" : ` by ${causes.join(" and by ")}`;
  const errors = `a batch of ${GROUPS} groups is off by ${figure(worst.biasInErrors)} standard errors`;
  const round = turned.length === 0 ? "" : ` On ${turned.join(" and ")} it goes the wrong way.`;
  return {
    hint: `Biased${by}: cosine ${digits(worst.cosine)} on "${worst.one.game.name}", where ${errors}.${round}`,
  };
}

/** Rounding of a cosine. */
const UNBIASED = 1 - 1e-9;

/** The rule without one of the fields that are known to bias it, where the rest of the rule allows that. */
function without({ name, ...row }: Recipe): [field: string, row: Recipe][] {
  const { scale, aggregate, advantage } = row;
  const others: readonly (readonly [field: string, changed: RecipeOverrides])[] = [
    ...(scale.kind === "none" ? [] : [["deviation", { scale: "none" }] as const]),
    ...(aggregate.kind === "constant"
      ? []
      : [["denominator", { aggregate: { kind: "constant", length: 1, per: "batch" } }] as const]),
    ...("gamma" in advantage && advantage.gamma < 1
      ? [
          [
            "discount",
            { advantage: { kind: advantage.kind, gamma: 1 } as RecipeOverrides["advantage"] },
          ] as const,
        ]
      : []),
  ];
  return others.flatMap(([field, changed]) => {
    try {
      return [[field, recipe(name, { ...(row as RecipeOverrides), ...changed })]];
    } catch {
      return []; // another field asks for it
    }
  });
}
