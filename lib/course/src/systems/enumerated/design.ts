import { studySeeds } from "../../shared/studySeeds";
import { bankArms, bankRun, type BankArmName } from "./bank";
import {
  nextStateArms,
  nextStateJudges,
  nextStateRun,
  type JudgesName,
  type NextStateArmName,
} from "./nextState";
import { omissionArms, omissionRun, type OmissionArm } from "./omission";
import type { ArmRun, Outcome } from "./outcome";
import { skillArms, skillLengths, skillRun, type SkillArmName } from "./skills";

/** One of the four systems. */
export type EnumeratedSystem = "omission" | "skills" | "next states" | "memory bank";

/** A trained thing: an arm of a system, in one of its conditions; "-" where it has one alone. */
export interface EnumeratedSetting {
  readonly system: EnumeratedSystem;
  readonly condition: string;
  readonly arm: string;
}

const named = <K extends string>(record: Readonly<Record<K, unknown>>): K[] => Object.keys(record) as K[];

const settingsOf = (
  system: EnumeratedSystem,
  conditions: readonly string[],
  arms: readonly string[],
): EnumeratedSetting[] => conditions.flatMap((condition) => arms.map((arm) => ({ system, condition, arm })));

/** Every setting of the study. Judges do not matter to the outcome alone, so it is trained with good ones only. */
export const enumeratedSettings: readonly EnumeratedSetting[] = [
  ...settingsOf("omission", ["-"], named(omissionArms)),
  ...settingsOf("skills", skillLengths.map(String), named(skillArms)),
  ...settingsOf("next states", named(nextStateJudges), named(nextStateArms)).filter(
    ({ condition, arm }) => arm !== "outcome alone" || condition === "good",
  ),
  ...settingsOf("memory bank", ["-"], named(bankArms)),
];

/** Learning rates of Adam among which that of each setting is chosen, and the seeds of tuning and study. */
export const enumeratedRates = Object.freeze([0.0125, 0.025, 0.05, 0.1, 0.2, 0.4] as const);
export const enumeratedSeeds = studySeeds;

/** The smallest effects that matter, named before the runs: of a share of episodes, and of units read, of 12. */
export const enumeratedEffects = Object.freeze({ score: 0.05, units: 1 });

/** Trains one setting. */
export function trainSetting({ system, condition, arm }: EnumeratedSetting, run: ArmRun): Promise<Outcome> {
  switch (system) {
    case "omission":
      return omissionRun(arm as OmissionArm, run);
    case "skills":
      return skillRun({ arm: arm as SkillArmName, more: Number(condition) }, run);
    case "next states":
      return nextStateRun({ arm: arm as NextStateArmName, judges: condition as JudgesName }, run);
    case "memory bank":
      return bankRun(arm as BankArmName, run);
  }
}
