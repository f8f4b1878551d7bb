import { mean } from "turnwise/internal/base/statistics";
import type { Verdict } from "turnwise/internal/base/verdict";
import { gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdicts, type Question } from "turnwise/internal/verdict/verdict";
import type { TwinRun } from "./job";
import type { TwinWorldName } from "./worlds";

/** The runs of one setting in one world, counted. */
export interface Outcome {
  readonly runs: number;
  /** Those that ended below three quarters of what the healthy settings reach. */
  readonly lost: number;
  /** Those of the lost that had risen before. */
  readonly fell: number;
  /** Mean success at the end; NaN without runs. */
  readonly end: number;
}

/** A difference of success that is worth a change. */
export const SMALLEST = 0.1;

/** What ten seeds say of a setting in a world. */
export type Says = "collapses" | "does not learn" | "holds" | "does better" | "cannot be told" | "says nothing";

/** The run's setting in one world, next to the healthy settings. */
export interface WorldOutcome {
  readonly world: TwinWorldName;
  readonly own: Outcome;
  readonly healthy: Outcome;
  /** Of: the healthy settings end higher, paired by seed. Undefined where there are no pairs. */
  readonly verdict: Verdict | undefined;
  readonly says: Says;
}

/** One change in one world, next to the run's own setting. */
export interface ChangeOutcome {
  readonly world: TwinWorldName;
  readonly outcome: Outcome;
  /** Of the mean success at the end. */
  readonly gain: number;
  readonly verdict: Verdict | undefined;
}

export function outcomeOf(runs: readonly TwinRun[]): Outcome {
  return {
    runs: runs.length,
    lost: runs.filter(({ lost }) => lost).length,
    fell: runs.filter(({ fell }) => fell !== null).length,
    end: runs.length === 0 ? NaN : mean(runs.map(({ end }) => end)),
  };
}

/** How much higher the ends of a setting are than those of another, by seeds that both have; undefined without a pair. */
function pairedGain(a: readonly TwinRun[], b: readonly TwinRun[]): Effect | undefined {
  const other = new Map(b.map(({ seed, end }) => [seed, end]));
  const pairs = a.flatMap(({ seed, end }) => (other.has(seed) ? [[end, other.get(seed)!] as const] : []));
  if (pairs.length === 0) return undefined;
  return gain(
    pairs.map(([x]) => x),
    pairs.map(([, y]) => y),
    { paired: true },
  );
}

/** The verdicts on pairs of settings as one family: Holm over all. */
function judged(
  pairs: readonly (readonly [better: readonly TwinRun[], other: readonly TwinRun[]])[],
): readonly { readonly effect: Effect | undefined; readonly verdict: Verdict | undefined }[] {
  const effects = pairs.map(([better, other]) => pairedGain(better, other));
  const questions: Record<string, Question> = {};
  effects.forEach((effect, i) => {
    if (effect) questions[String(i)] = { effect, smallestEffectOfInterest: SMALLEST };
  });
  const decided: Readonly<Record<string, Verdict>> =
    Object.keys(questions).length === 0 ? {} : verdicts(questions);
  return effects.map((effect, i) => ({ effect, verdict: decided[String(i)] }));
}

/** Whether the run's setting collapses in each world: all worlds are one family. */
export function judgeWorlds(
  worlds: readonly {
    readonly world: TwinWorldName;
    readonly own: readonly TwinRun[];
    readonly healthy: readonly TwinRun[];
  }[],
): readonly WorldOutcome[] {
  const decided = judged(worlds.map(({ own, healthy }) => [healthy, own]));
  return worlds.map(({ world, ...runs }, i) => {
    const [own, healthy] = [outcomeOf(runs.own), outcomeOf(runs.healthy)];
    const { verdict } = decided[i]!;
    return { world, own, healthy, verdict, says: saysOf(verdict, own, healthy) };
  });
}

function saysOf(verdict: Verdict | undefined, own: Outcome, healthy: Outcome): Says {
  if (verdict?.kind === "holds") return 2 * own.fell >= own.lost ? "collapses" : "does not learn";
  if (verdict?.kind === "refuted") return "does better";
  // A world in which even the healthy settings are lost judges nobody.
  if (healthy.runs > 0 && 4 * healthy.lost > healthy.runs) return "says nothing";
  return verdict?.kind === "no effect that matters" ? "holds" : "cannot be told";
}

/** Whether changes help, each in each world: all of them are one family. */
export function judgeChanges(
  changes: readonly {
    readonly world: TwinWorldName;
    readonly changed: readonly TwinRun[];
    readonly own: readonly TwinRun[];
  }[],
): readonly ChangeOutcome[] {
  const decided = judged(changes.map(({ changed, own }) => [changed, own]));
  return changes.map(({ world, changed }, i) => ({
    world,
    outcome: outcomeOf(changed),
    gain: decided[i]!.effect?.mean ?? NaN,
    verdict: decided[i]!.verdict,
  }));
}
