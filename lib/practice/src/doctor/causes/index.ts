import { afterAResume } from "./afterAResume";
import { answersAreCut } from "./answersAreCut";
import { clipNeverActs } from "./clipNeverActs";
import { criticFails } from "./criticFails";
import { echoTrap } from "./echoTrap";
import { enginesApart } from "./enginesApart";
import { entropyCollapses } from "./entropyCollapses";
import { entropyRises } from "./entropyRises";
import { equalGroups } from "./equalGroups";
import { farFromReference } from "./farFromReference";
import { klChargedTwice } from "./klChargedTwice";
import { mixedGroups } from "./mixedGroups";
import { nan } from "./nan";
import { staleRollouts } from "./staleRollouts";
import { stepsTooLarge } from "./stepsTooLarge";
import { toolTokens } from "./toolTokens";
import { toolsFail } from "./toolsFail";
import { toolsVanish } from "./toolsVanish";
import type { CauseKind, Evidence } from "./contract";
import type { View } from "../view";

/** Causes that can break a run. */
export const causeKinds = {
  nan: nan,
  "engines-apart": enginesApart,
  "echo-trap": echoTrap,
  "entropy-rises": entropyRises,
  "entropy-collapses": entropyCollapses,
  "answers-are-cut": answersAreCut,
  "tools-vanish": toolsVanish,
  "tools-fail": toolsFail,
  "far-from-reference": farFromReference,
  "steps-too-large": stepsTooLarge,
  "equal-groups": equalGroups,
  "clip-never-acts": clipNeverActs,
  "kl-charged-twice": klChargedTwice,
  "mixed-groups": mixedGroups,
  "tool-tokens": toolTokens,
  "after-a-resume": afterAResume,
  "stale-rollouts": staleRollouts,
  "critic-fails": criticFails,
} as const satisfies Readonly<Record<string, CauseKind>>;

export type CauseName = keyof typeof causeKinds;

/** A cause for which something speaks. */
export interface Cause extends Evidence {
  readonly name: CauseName;
  readonly title: string;
  readonly section: string;
  readonly lesson: string;
}

/** The causes for which something speaks, the likeliest first. */
export function causesOf(view: View): readonly Cause[] {
  return (Object.entries(causeKinds) as [CauseName, CauseKind][])
    .flatMap(([name, { title, section, lesson, look }]) => {
      const seen = look(view);
      return seen === undefined ? [] : [{ name, title, section, lesson, ...seen }];
    })
    .sort((a, b) => b.weight - a.weight);
}
