// One file because the first conflict that holds is the one that is told, so that their order is one thing.
import { show } from "../base/show";
import { quoted } from "../schema";
import { advantageKinds, advantageOf } from "./advantage";
import type { Advantage } from "./advantage/contract";
import { correctionOf } from "./correction";
import { gateOf } from "./gate";
import { isTensorGate } from "./gate/custom";
import { orderOf } from "./order";
import { carryOf } from "./order/carries";
import { ratioOf, ratios } from "./ratio";
import type { Recipe } from "./recipe";
import { covarianceOf } from "./regularizer/covariance";
import { senseless } from "./regularizer/kl/expectation";
import { penaltiesOf } from "./regularizer/penalties";
import { clippingTriggeredOf } from "./regularizer/triggered";
import { scaleOf, scales } from "./scale";
import { stepScaleOf } from "./stepScale";

type Fields = Omit<Recipe, "name">;

/** Conflict between fields: the path of a field, and its value if it would change nothing. */
interface Conflict {
  readonly path: string;
  /** Completes "must be ...". */
  readonly wanted: string;
  readonly value: unknown;
}

/** The fields of which a rule composes its loss, unless it has a whole one. */
export const composing = ["ratio", "gate", "aggregate", "regularizer"] as const;

const whole = Object.keys(ratios).filter((level) => ratioOf({ level } as Fields["ratio"]).formed);

const ranking = Object.entries<Pick<Advantage, "ranksTurns">>(advantageKinds)
  .filter(([, { ranksTurns }]) => ranksTurns)
  .map(([kind]) => kind);

/**
 * The ways in which one field makes another idle, each told by what the values say about themselves and never by their
 * names. The first that holds is the one that is told.
 */
const conflicts: Readonly<Record<string, (fields: Fields) => Conflict | false>> = {
  aWholeLossReplacesWhatComposesOne: ({ loss, ratio, gate, aggregate, regularizer }) => {
    if (!loss) return false;
    const beside = `with loss "${loss.label}", which takes its place`;
    const { klReference, klOld, entropyCoef, entropyTarget, entropyShare, covariance } = regularizer;
    const { clippingTriggered, observationCoef, custom } = regularizer;
    const idle: readonly (readonly [path: string, value: unknown, idle: unknown])[] = [
      ["ratio.level", ratio.level, "none"],
      ["gate.kind", gate.kind, "none"],
      ["aggregate.kind", aggregate.kind, "tokenMean"],
      ["aggregate.per", "per" in aggregate ? aggregate.per : "batch", "batch"],
      ["regularizer.klReference", klReference, null],
      ["regularizer.klOld", klOld, null],
      ["regularizer.entropyCoef", entropyCoef, 0],
      ["regularizer.entropyTarget", entropyTarget, null],
      ["regularizer.entropyShare", entropyShare, 1],
      ["regularizer.covariance.kind", covariance.kind, "off"],
      ["regularizer.clippingTriggered.kind", clippingTriggered.kind, "off"],
      ["regularizer.observationCoef", observationCoef, 0],
      ["regularizer.custom", custom ?? null, null],
    ];
    const given = idle.find(([, value, wanted]) => value !== wanted);
    return given !== undefined && { path: given[0], wanted: `left out ${beside}`, value: given[1] };
  },

  anExpressionOnTensorsSaysItselfWhatCarriesItsGradient: ({ gate }) =>
    gate.kind === "custom" &&
    gate.through !== "ratio" &&
    isTensorGate(gate.by) && {
      path: "gate.through",
      wanted: `left out with gate "${gate.by.label}", an expression on tensors, where stopGradient says it`,
      value: gate.through,
    },

  aGroupIsForkedOrShown: ({ demonstrations, forks }) =>
    demonstrations > 0 &&
    forks.kind !== "none" && {
      path: "demonstrations",
      wanted: `0 with forks.kind "${forks.kind}", which fills a group with branches of the policy's own trajectories`,
      value: demonstrations,
    },

  aGateWithoutRatioIgnoresIt: ({ gate, ratio }) =>
    !gateOf(gate).needsRatio &&
    ratioOf(ratio).formed && {
      path: "ratio.level",
      wanted: `"none" with gate.kind "${gate.kind}", which forms no ratio`,
      value: ratio.level,
    },

  aGateThatReadsStandingsNeedsThem: ({ advantage, gate }) =>
    gateOf(gate).readsStanding === true &&
    advantageOf(advantage).ranksTurns !== true && {
      path: "advantage.kind",
      wanted: `${quoted(ranking)} with gate.kind "${gate.kind}", which reads how a turn compares with its peers`,
      value: advantage.kind,
    },

  aGateWithRatioNeedsOne: ({ gate, ratio }) =>
    gateOf(gate).needsRatio &&
    !ratioOf(ratio).formed && {
      path: "ratio.level",
      wanted: `${quoted(whole)} with gate.kind "${gate.kind}", which needs a ratio`,
      value: ratio.level,
    },

  nothingIsTriggeredWhereNothingIsClipped: ({ gate, regularizer: { clippingTriggered } }) =>
    clippingTriggeredOf(clippingTriggered).active &&
    !gateOf(gate).cutsGradient && {
      path: "regularizer.clippingTriggered.kind",
      wanted: `"off" with gate.kind "${gate.kind}", which clips nothing`,
      value: clippingTriggered.kind,
    },

  aTokenIsClippedByItself: ({ ratio, regularizer: { covariance } }) =>
    covarianceOf(covariance).random &&
    ratioOf(ratio).formed &&
    ratio.level !== "token" && {
      path: "regularizer.covariance.kind",
      wanted: `"off" with ratio.level "${ratio.level}", whose tokens are clipped together`,
      value: covariance.kind,
    },

  aWeightOfEntropyStaysWithinItsBounds: ({ regularizer: { entropyTarget } }) =>
    entropyTarget !== null &&
    entropyTarget.min > entropyTarget.max && {
      path: "regularizer.entropyTarget.max",
      wanted: `>= min, which is ${entropyTarget.min}`,
      value: entropyTarget.max,
    },

  aPenaltyChargesADivergence: ({ regularizer }) => {
    for (const { path, other, coef, kl } of penaltiesOf(regularizer, 1)) {
      const found = senseless(other, kl);
      // With weight 0 it is measured alone, and k1 is a measure.
      if (found === undefined || (coef === 0 && kl.estimator === "k1")) continue;
      return { path: `${path}.${found.field}`, wanted: found.wanted, value: kl[found.field] };
    }
    return false;
  },

  anExactRewardLeavesATokensOwnContextToTheLoss: ({ reward, regularizer: { klReference } }) =>
    reward.kl?.estimator === "exact" &&
    (klReference?.estimator !== "exact" || klReference.direction !== "reverse") && {
      path: "reward.kl.estimator",
      wanted:
        '"k1" without regularizer.klReference: { estimator: "exact" }, which charges a token\'s own context: as a reward the exact KL reaches earlier tokens alone',
      value: reward.kl.estimator,
    },

  aPolicyComparesItselfWithOneOther: ({ reward, regularizer: { klReference } }) =>
    reward.kl?.reference === "shown" &&
    klReference !== null && {
      path: "regularizer.klReference",
      wanted: 'null with reward.kl.reference "shown", which reads no frozen reference',
      value: klReference,
    },

  answersAreLearnedWithAllTurns: ({ order, regularizer: { observationCoef } }) =>
    observationCoef > 0 &&
    orderOf(order).turnByTurn && {
      path: "regularizer.observationCoef",
      wanted: `0 with order.kind "${order.kind}", which updates turns one by one`,
      value: observationCoef,
    },

  demonstrationsComeFromNoEngine: ({ correction, demonstrations }) =>
    demonstrations > 0 &&
    correctionOf(correction).active && {
      path: "correction.kind",
      wanted: `"none" with demonstrations ${demonstrations}, which no rollout engine draws`,
      value: correction.kind,
    },

  demonstrationsHaveNoRatioToTheRollout: ({ demonstrations, update: { stepScale } }) =>
    demonstrations > 0 &&
    stepScaleOf(stepScale).active && {
      path: "update.stepScale.kind",
      wanted: `"none" with demonstrations ${demonstrations}, which the policy has not sampled`,
      value: stepScale.kind,
    },

  aStepThatRenewsAdvantagesSeesWholeGroups: ({ advantage, order, update }) => {
    if (advantageOf(advantage).renewed === undefined) return false;
    const why = `with advantage.kind "${advantage.kind}", which compares all turns of a group again at every step`;
    if (update.minibatches > 1)
      return { path: "update.minibatches", wanted: `1 ${why}`, value: update.minibatches };
    return (
      orderOf(order).turnByTurn && { path: "order.kind", wanted: `"simultaneous" ${why}`, value: order.kind }
    );
  },

  aBaselineWeighsByTheRatioOfTheEngines: ({ advantage, correction }) =>
    advantageOf(advantage).readsGradients === true &&
    correctionOf(correction).active &&
    correctionOf(correction).oldLogProb(correction) === "bypass" && {
      path: "correction.oldLogProb",
      wanted: `"decoupled" with advantage.kind "${advantage.kind}", which weighs by the ratio of trainer to rollout engine`,
      value: "bypass",
    },

  aMaskOrARejectionHasABound: ({ correction }) =>
    "low" in correction &&
    correction.low === 0 &&
    correction.high === null && {
      path: "correction.high",
      wanted: `a number with correction.kind "${correction.kind}" and low 0, whose bounds let every ratio pass`,
      value: null,
    },

  onlyARatioCorrectsInBypass: ({ correction, gate, loss }) =>
    "oldLogProb" in correction &&
    correction.oldLogProb === "bypass" &&
    !loss &&
    !gateOf(gate).needsRatio && {
      path: "correction.oldLogProb",
      wanted: `"decoupled" with gate.kind "${gate.kind}", which forms no ratio that could correct`,
      value: "bypass",
    },

  aCorrectionSaysWhereOldLogProbsComeFrom: ({ correction, order }) => {
    const { active, oldLogProb } = correctionOf(correction);
    if (!active || order.oldLogProb !== "recomputed") return false;
    const from = oldLogProb(correction);
    if (from === "decoupled" && orderOf(order).turnByTurn) return false;
    const why = from === "bypass" ? "takes them from the rollout engine" : "computes them already";
    return {
      path: "order.oldLogProb",
      wanted: `"rollout" with correction.kind "${correction.kind}", which ${why}`,
      value: order.oldLogProb,
    };
  },

  aTurnByTurnOrderMovesNoWholeTrajectory: ({ order, ratio }) =>
    orderOf(order).turnByTurn &&
    reachesOverTurns(ratio) && {
      path: "ratio.level",
      wanted: `${quoted(whole.filter((level) => !reachesOverTurns({ level } as Fields["ratio"])))} with order.kind "${order.kind}", which updates turns one by one`,
      value: ratio.level,
    },

  oldLogProbsAreReadBySomething: ({ gate, loss, order, regularizer }) =>
    !loss &&
    order.oldLogProb === "recomputed" &&
    !gateOf(gate).needsRatio &&
    !carries(order) &&
    regularizer.klOld === null &&
    covarianceOf(regularizer.covariance).charge(regularizer.covariance) === null && {
      path: "order.oldLogProb",
      wanted: '"rollout" in a rule that uses no old log-probs',
      value: order.oldLogProb,
    },

  aScaleOfGroupsNeedsGroups: ({ advantage, scale }) =>
    dividesGroups(scale) &&
    !advantageOf(advantage).comparesGroups && {
      path: "scale.kind",
      wanted: `${quoted(scaleNames((one) => !dividesGroups(one)))} with advantage.kind "${advantage.kind}", which has no groups`,
      value: scale.kind,
    },

  aStepRewardIsTakenAsItIs: ({ advantage, reward: { step }, scale }) =>
    dividesGroups(scale) &&
    step.kind !== "none" &&
    advantageOf(advantage).takesStepReward === true && {
      path: "scale.kind",
      wanted: `${quoted(scaleNames((one) => !dividesGroups(one)))} with reward.step.kind "${step.kind}" and advantage.kind "${advantage.kind}", which takes it as it is`,
      value: scale.kind,
    },

  anAdvantageThatScalesItselfIsNotScaledAgain: ({ advantage, scale }) =>
    scale.kind !== "none" &&
    !dividesGroups(scale) &&
    advantageOf(advantage).scalesItself && {
      path: "scale.kind",
      wanted: `${quoted(scaleNames((one) => one.kind === "none" || dividesGroups(one)))} with advantage.kind "${advantage.kind}", which scales each of its two parts`,
      value: scale.kind,
    },

  aGroupOfOneHasNoDeviation: ({ advantage, scale }) =>
    "epsilon" in scale &&
    scale.epsilon === 0 &&
    scaleOf(scale).withinGroup(scale).scale === "group" &&
    advantageOf(advantage).wholeTrajectory &&
    "allowSingleton" in advantage &&
    advantage.allowSingleton && {
      path: "scale.epsilon",
      wanted: "above 0 with allowSingleton, whose groups have no spread",
      value: 0,
    },
};

/** A knob that changes nothing is an error: the reader of the rule would believe in an effect that is not there. */
export function refuseIgnored(name: string, fields: Fields): void {
  for (const conflict of Object.values(conflicts)) {
    const found = conflict(fields);
    if (found === false) continue;
    throw new RangeError(
      `Cannot make recipe ${name}: ${found.path} must be ${found.wanted}, got ${show(found.value)}.`,
    );
  }
}

const reachesOverTurns = (ratio: Fields["ratio"]): boolean => ratioOf(ratio).axes.includes(1);

const dividesGroups = (scale: Fields["scale"]): boolean => scaleOf(scale).withinGroup(scale).scale !== "none";

const scaleNames = (holds: (scale: Fields["scale"]) => boolean): string[] =>
  Object.keys(scales).filter((kind) => holds({ kind } as Fields["scale"]));

const carries = (order: Fields["order"]): boolean =>
  "carry" in order && carryOf(order.carry).pooling(order.carry) !== null;
