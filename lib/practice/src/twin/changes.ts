import type { FlagValues } from "../configs/given";
import { readTrainers } from "../configs/recognize";
import type { LintReport } from "../lint";
import { correct } from "../lint/findings/corrections";
import { Undecided, type Change } from "../lint/outcome";
import { readSubject } from "../lint/readSubject";
import type { Subject } from "../lint/subject";
import { mappingOf } from "./mapping";
import type { MeasuredMismatch } from "./mismatch";
import { sameSetting, type TwinSetting } from "./setting";

/** One change of the configuration that is tried in the small worlds. */
export interface Candidate {
  readonly title: string;
  /** In the trainer's own syntax. */
  readonly written: readonly string[];
  /** A finding of the linter, or the list that every configuration gets. */
  readonly by: "finding" | "list";
  readonly setting: TwinSetting;
}

/** A change that was not tried. */
export interface Skipped {
  readonly title: string;
  readonly why: string;
}

const MOST_CANDIDATES = 8;
/** Each candidate costs as many runs as there are seeds, in every world: these take half a minute on two cores. */
const MOST_CELLS = 16;

const fixed: readonly { readonly title: string; readonly of: (s: Subject) => readonly Change[] }[] = [
  {
    title: "One optimizer step on each batch",
    of: (s) => {
      const once: Change = { setting: "epochs", value: 1 };
      if (!s.has("minibatch")) return [once];
      const value = s.number("batch") * (s.trainer === "openrlhf" ? s.number("groupSize") : 1);
      return s.either([once, { setting: "minibatch", value }]);
    },
  },
  {
    title: "A clip at .2",
    of: (s) =>
      s.either(
        [
          { setting: "clipLow", value: 0.2 },
          { setting: "clipHigh", value: 0.2 },
        ],
        [{ setting: "clip", value: 0.2 }],
      ),
  },
  {
    title: "A dual clip at 3",
    of: (s) =>
      s.trainer === "skyrl"
        ? [{ setting: "ratioLevel", value: "dual_clip" }]
        : s.either([{ setting: "dualClip", value: 3 }]),
  },
  {
    title: "Advantages that are not divided by a std",
    of: (s) => s.either([{ setting: "scale", value: s.trainer === "trl" ? "none" : false }]),
  },
  {
    title: "A KL to the reference in the loss, .05",
    of: (s) => {
      const coef: Change = { setting: "klLossCoef", value: 0.05 };
      return [
        ...s.either([{ setting: "klInLoss", value: true }, coef], [coef]),
        ...(s.trainer === "openrlhf" ? [{ setting: "klLossEstimator", value: "k2" } as const] : []),
      ];
    },
  },
  { title: "No entropy bonus", of: (s) => s.either([{ setting: "entropyCoef", value: 0 }]) },
  { title: "Weights for what the engine samples", of: correct },
  { title: "Groups of 16", of: (s) => s.either([{ setting: "groupSize", value: 16 }]) },
];

/** The changes to try, those of the linter first; and those that are not, each with the reason. */
export function candidatesOf(
  { subject, found }: LintReport,
  base: TwinSetting,
  mismatch: MeasuredMismatch | undefined,
  worlds = 1,
): { readonly candidates: readonly Candidate[]; readonly skipped: readonly Skipped[] } {
  const candidates: Candidate[] = [];
  const skipped: Skipped[] = [];
  const most = Math.min(MOST_CANDIDATES, Math.floor(MOST_CELLS / worlds));
  const add = (title: string, by: Candidate["by"], change: () => readonly Change[]): void => {
    const outcome = settingWith(subject, change, mismatch);
    if (typeof outcome === "string") {
      if (by === "finding") skipped.push({ title, why: outcome });
      return;
    }
    const { setting, written } = outcome;
    if (sameSetting(setting, base)) {
      if (by === "finding")
        skipped.push({ title, why: `${written.join("  ")} changes nothing that the small worlds have` });
      return;
    }
    if (candidates.some((one) => sameSetting(one.setting, setting))) return;
    if (candidates.length >= most) {
      skipped.push({ title, why: `${most} changes are tried at most` });
      return;
    }
    candidates.push({ title, written, by, setting });
  };
  for (const { title, change } of found) if (change.length > 0) add(title, "finding", () => change);
  for (const { title, of } of fixed) add(title, "list", () => of(subject));
  return { candidates, skipped };
}

/** The configuration with other values; a text gives the reason if there is none. */
function settingWith(
  subject: Subject,
  change: () => readonly Change[],
  mismatch: MeasuredMismatch | undefined,
): { readonly setting: TwinSetting; readonly written: readonly string[] } | string {
  try {
    const changes = change();
    if (changes.length === 0) return `${subject.title} has no setting for it`;
    const values = new Map<string, unknown>(Object.entries(subject.parts.flags));
    for (const { setting, value } of changes) {
      if (value === null) values.delete(subject.flagOf(setting));
      else values.set(subject.flagOf(setting), value);
    }
    const changed = readSubject(
      readTrainers[subject.trainer],
      Object.fromEntries(values) as FlagValues,
      subject.parts,
    );
    return { setting: mappingOf(changed, mismatch).setting, written: subject.write(changes) };
  } catch (error) {
    if (error instanceof Undecided || error instanceof RangeError || error instanceof TypeError)
      return error.message;
    throw error;
  }
}
