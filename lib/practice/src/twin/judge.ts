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
export const SMALLEST = 0.05;

/** The verdict of ten seeds on a setting in a world. */
export type Says =
  "collapses" | "does not learn" | "holds" | "does better" | "cannot be told" | "says nothing";

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
export interface ChangeInWorld {
  readonly world: TwinWorldName;
  readonly outcome: Outcome;
  /** Of the mean success at the end. */
  readonly gain: number;
}

/** One change, next to the run's own setting. */
export interface ChangeOutcome {
  readonly worlds: readonly ChangeInWorld[];
  /** Of the mean success at the end, over all worlds in which the run's own setting ends low. */
  readonly gain: number;
  /** Of: it ends higher, over these worlds. Undefined where there are no pairs. */
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

/** The runs of two settings in one world. */
export interface Pair {
  readonly better: readonly TwinRun[];
  readonly other: readonly TwinRun[];
}

/** Gain in final success of a setting: each seed's mean over worlds, for seeds that all have; undefined without any. */
function pairedGain(worlds: readonly Pair[]): Effect | undefined {
  const ends = worlds.map(({ better, other }) => ({
    better: new Map(better.map(({ seed, end }) => [seed, end])),
    other: new Map(other.map(({ seed, end }) => [seed, end])),
  }));
  const seeds = [...(ends[0]?.better.keys() ?? [])].filter((seed) =>
    ends.every(({ better, other }) => better.has(seed) && other.has(seed)),
  );
  if (seeds.length === 0) return undefined;
  const of = (which: keyof Pair): number[] =>
    seeds.map((seed) => mean(ends.map((one) => one[which].get(seed)!)));
  return gain(of("better"), of("other"), { paired: true });
}

/** The verdicts on comparisons as one family: Holm over all. */
function judged(
  comparisons: readonly (readonly Pair[])[],
): readonly { readonly effect: Effect | undefined; readonly verdict: Verdict | undefined }[] {
  const effects = comparisons.map(pairedGain);
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
  const decided = judged(worlds.map(({ own, healthy }) => [{ better: healthy, other: own }]));
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

/** Whether changes help where the run's own setting ends low: all of them are one family. */
export function judgeChanges(
  changes: readonly (readonly (Pair & { readonly world: TwinWorldName })[])[],
): readonly ChangeOutcome[] {
  const decided = judged(changes);
  return changes.map((worlds, i) => ({
    worlds: worlds.map(({ world, ...pair }) => ({
      world,
      outcome: outcomeOf(pair.better),
      gain: pairedGain([pair])?.mean ?? NaN,
    })),
    gain: decided[i]!.effect?.mean ?? NaN,
    verdict: decided[i]!.verdict,
  }));
}
