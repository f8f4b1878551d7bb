import { afterAResume } from "./afterAResume";
import { answersAreCut } from "./answersAreCut";
import { clipNeverActs } from "./clipNeverActs";
import { creditLost } from "./creditLost";
import { criticFails } from "./criticFails";
import { echoTrap } from "./echoTrap";
import { endsUnseen } from "./endsUnseen";
import { enginesApart } from "./enginesApart";
import { entropyCollapses } from "./entropyCollapses";
import { entropyRises } from "./entropyRises";
import { equalGroups } from "./equalGroups";
import { farFromReference } from "./farFromReference";
import { gapFromStart } from "./gapFromStart";
import { inventsTurns } from "./inventsTurns";
import { klChargedTwice } from "./klChargedTwice";
import { misalignedTokens } from "./misalignedTokens";
import { klReversed } from "./klReversed";
import { lengthDrifts } from "./lengthDrifts";
import { mixedGroups } from "./mixedGroups";
import { nan } from "./nan";
import { neverEnds } from "./neverEnds";
import { negativeKl } from "./negativeKl";
import { noGradient } from "./noGradient";
import { oneAnswerPaid } from "./oneAnswerPaid";
import { otherReference } from "./otherReference";
import { otherTokens } from "./otherTokens";
import { paddingTrained } from "./paddingTrained";
import { partsApart } from "./partsApart";
import { staleRollouts } from "./staleRollouts";
import { stepsTooLarge } from "./stepsTooLarge";
import { stepsTooSmall } from "./stepsTooSmall";
import { toolTokens } from "./toolTokens";
import { toolsFail } from "./toolsFail";
import { toolsVanish } from "./toolsVanish";
import { weightsNotLoaded } from "./weightsNotLoaded";
import { ifKnown, type Change } from "../../lint/contract";
import type { CauseKind, Evidence } from "./contract";
import type { View } from "../view";

/** Causes that can break a run. */
export const causeKinds = {
  nan: nan,
  "no-gradient": noGradient,
  "negative-kl": negativeKl,
  "kl-reversed": klReversed,
  "other-reference": otherReference,
  "engines-apart": enginesApart,
  "gap-from-start": gapFromStart,
  "weights-not-loaded": weightsNotLoaded,
  "echo-trap": echoTrap,
  "entropy-rises": entropyRises,
  "entropy-collapses": entropyCollapses,
  "answers-are-cut": answersAreCut,
  "length-drifts": lengthDrifts,
  "never-ends": neverEnds,
  "ends-unseen": endsUnseen,
  "invents-turns": inventsTurns,
  "tools-vanish": toolsVanish,
  "tools-fail": toolsFail,
  "far-from-reference": farFromReference,
  "steps-too-large": stepsTooLarge,
  "steps-too-small": stepsTooSmall,
  "equal-groups": equalGroups,
  "clip-never-acts": clipNeverActs,
  "kl-charged-twice": klChargedTwice,
  "mixed-groups": mixedGroups,
  "tool-tokens": toolTokens,
  "padding-trained": paddingTrained,
  "misaligned-tokens": misalignedTokens,
  "other-tokens": otherTokens,
  "after-a-resume": afterAResume,
  "stale-rollouts": staleRollouts,
  "critic-fails": criticFails,
  "credit-lost": creditLost,
  "parts-apart": partsApart,
  "one-answer-paid": oneAnswerPaid,
} as const satisfies Readonly<Record<string, CauseKind>>;

export type CauseName = keyof typeof causeKinds;

/** A cause for which something speaks. */
export interface Cause extends Evidence {
  readonly name: CauseName;
  readonly title: string;
  readonly section: string;
  readonly lesson: string;
}

/** Whether a configuration does not have a change already. */
function isNew({ subject, config }: View, { setting, value }: Change): boolean {
  if (subject === undefined || config === undefined) return true;
  return ifKnown(() => {
    const now = subject.text(setting);
    if (now === null || value === null) return now !== value;
    return typeof value === "number"
      ? Number(now) !== value
      : now.toLowerCase() !== String(value).toLowerCase();
  }, true);
}

/** The causes for which something speaks, the likeliest first. */
export function causesOf(view: View): readonly Cause[] {
  return (Object.entries(causeKinds) as [CauseName, CauseKind][])
    .flatMap(([name, { title, section, lesson, look }]) => {
      const seen = look(view);
      if (seen === undefined) return [];
      const change = seen.change.filter((one) => isNew(view, one));
      return [{ name, title, section, lesson, ...seen, change }];
    })
    .sort((a, b) => b.weight - a.weight);
}
