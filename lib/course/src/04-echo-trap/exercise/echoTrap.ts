import { exp } from "turnwise/internal/base/elementary/exp";
import { createRng, type Rng } from "turnwise/internal/base/rng";
import { expectFunction, NotYet, Passed } from "../../shared/exercise/verdict";

/** Facts about an update when an alarm has to decide; rewards are in [0, 1], and the optimum is 1. */
export interface TrapRecord {
  readonly update: number;
  readonly rewardMean: number;
  /** Mean over groups of the standard deviation of returns within a group. */
  readonly rewardStd: number;
  /** Nats per token. */
  readonly entropy: number;
  readonly gradNorm: number;
}

/** Gets the records so far, oldest first, after every update; true rings the alarm. */
export type EchoTrapAnswer = (history: readonly TrapRecord[]) => boolean;

interface Run {
  readonly records: readonly TrapRecord[];
  /** The update after which the reward falls; undefined in a healthy run. */
  readonly fall?: number;
}

const exercise = "echoTrap";
const updates = 140;
const runsPerKind = 8;
/** Number of updates before the fall of the reward by which an alarm must ring. */
const lead = 10;

type Shape = (update: number) => Omit<TrapRecord, "update">;

function runOf(rng: Rng, shape: Shape, fall?: number): Run {
  const noisy = (x: number, spread: number): number => Math.max(0, x + spread * rng.normal());
  const records = Array.from({ length: updates }, (_, k) => {
    const { rewardMean, rewardStd, entropy, gradNorm } = shape(k + 1);
    return {
      update: k + 1,
      rewardMean: Math.min(1, noisy(rewardMean, 0.015)),
      rewardStd: noisy(rewardStd, 0.02),
      entropy: noisy(entropy, 0.03),
      gradNorm: noisy(gradNorm, 0.05),
    };
  });
  return fall === undefined ? { records } : { records, fall };
}

const rise = (update: number, at: number, width: number): number => 1 / (1 + exp(-(update - at) / width));

function healthy(rng: Rng, top: number): Run {
  return runOf(rng.split("noise"), (k) => ({
    rewardMean: 0.1 + (top - 0.1) * rise(k, 50, 15),
    rewardStd: 0.36,
    entropy: 1.6 - 0.6 * rise(k, 60, 25),
    gradNorm: 0.5,
  }));
}

function solved(rng: Rng): Run {
  return runOf(rng.split("noise"), (k) => {
    const rewardMean = 0.1 + 0.895 * rise(k, 45, 9);
    return {
      rewardMean,
      // Returns of 0 or 1 have a std of sqrt(p (1 - p)), which is smaller within a group than in the batch.
      rewardStd: 0.76 * Math.sqrt(rewardMean * (1 - rewardMean)),
      entropy: 1.6 - 1.4 * rise(k, 50, 10),
      gradNorm: 0.5 * (1 - rise(k, 60, 8)) + 0.05,
    };
  });
}

function slowStart(rng: Rng): Run {
  return runOf(rng.split("noise"), (k) => ({
    rewardMean: 0.02 + 0.6 * rise(k, 70, 8),
    rewardStd: 0.03 + 0.33 * rise(k, 62, 5),
    entropy: 1.6 - 0.6 * rise(k, 70, 12),
    gradNorm: 0.1 + 0.4 * rise(k, 62, 5),
  }));
}

function dips(rng: Rng): Run {
  const run = healthy(rng, 0.7);
  const low = new Set(Array.from({ length: 4 }, (_, i) => 25 + 28 * i + rng.split("dip", i).below(20)));
  return {
    records: run.records.map((record) => (low.has(record.update) ? { ...record, rewardStd: 0.01 } : record)),
  };
}

/** A run whose std falls first, and whose reward falls 35 to 50 updates later, with a spike of the gradient norm. */
function trapped(rng: Rng, entropyRises: boolean): Run {
  const start = 40 + rng.below(15);
  const fall = start + 35 + rng.below(16);
  return runOf(
    rng.split("noise"),
    (k) => ({
      rewardMean: (0.1 + 0.45 * rise(k, 20, 6)) * (1 - rise(k, fall + 6, 2)),
      rewardStd: 0.37 * (1 - rise(k, start + 8, 3)) + 0.02,
      entropy: entropyRises ? 1.2 + 0.9 * rise(k, fall, 6) : 1.5 - 1.2 * rise(k, start + 10, 6),
      gradNorm: 0.5 + (k >= fall && k < fall + 12 ? 5 : 0),
    }),
    fall,
  );
}

const many = (name: string, make: (rng: Rng) => Run): Run[] => {
  const root = createRng(1).split(exercise);
  return Array.from({ length: runsPerKind }, (_, i) => make(root.split(name, i)));
};

/** The first update at which the alarm rings; it never sees the future. */
function firstAlarm(answer: EchoTrapAnswer, { records }: Run): number | undefined {
  for (let k = 1; k <= records.length; k++) {
    let rings: unknown;
    try {
      rings = answer(records.slice(0, k).map((record) => ({ ...record })));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new NotYet(exercise, `the alarm throws with ${String(k)} records: ${message}`);
    }
    if (typeof rings !== "boolean") {
      throw new NotYet(exercise, `the alarm must return true or false; it returned ${typeof rings}.`);
    }
    if (rings) return k;
  }
  return undefined;
}

/**
 * Whether an alarm rings before the reward falls and is silent in healthy runs.
 *
 * The runs are not recorded but drawn after the pattern that RAGEN reports: the std within groups falls about 50 updates
 * before the reward, the gradient norm spikes at the fall, and the entropy falls or rises.
 *
 * @see RAGEN, arXiv 2504.20073, Finding 2 and the section on the echo trap
 */
export function checkEchoTrap(answer: EchoTrapAnswer): Passed {
  expectFunction(exercise, answer);
  const traps = [...many("falling", (r) => trapped(r, false)), ...many("rising", (r) => trapped(r, true))];
  const at = traps.map((run) => firstAlarm(answer, run));
  const wrong = (sentence: string): NotYet => new NotYet(exercise, sentence);
  if (at.every((k) => k === 1)) throw wrong("it rings at the very first update of every run.");
  const quiet: readonly (readonly [runs: Run[], sentence: string])[] = [
    [
      many("solved", solved),
      "it takes success for collapse: when every trajectory earns the optimum the std is 0 as well.",
    ],
    [
      many("slow", slowStart),
      "it rings before the run has begun to learn: where all fail alike, no std was there to be lost.",
    ],
    [many("healthy", (r) => healthy(r, 0.75)), "it rings in a healthy run whose std does not fall."],
    [many("dips", dips), "it rings at a single low value; a healthy run has such updates too."],
  ];
  if (at.every((k) => k === undefined)) throw wrong("it never rings, not even after the reward has fallen.");
  for (const [runs, sentence] of quiet) {
    const rung = runs.filter((run) => firstAlarm(answer, run) !== undefined).length;
    if (rung > 1) throw wrong(sentence);
  }
  const missed = traps.filter((_, i) => at[i] === undefined);
  const late = traps.filter((run, i) => at[i] !== undefined && at[i] > run.fall! - lead);
  if (missed.length + late.length <= 1) {
    return new Passed(
      exercise,
      `${String(traps.length)} trapped and ${String(4 * runsPerKind)} healthy runs`,
    );
  }
  if (late.length > missed.length) {
    throw wrong(
      `it rings too late in ${String(late.length)} of ${String(traps.length)} trapped runs: ` +
        `it waits for the reward or the gradient, and by then the run is lost.`,
    );
  }
  const rising = missed.every((run) => traps.indexOf(run) >= runsPerKind);
  throw wrong(
    `it misses ${String(missed.length)} of ${String(traps.length)} trapped runs` +
      (rising ? ": those in which the entropy rises; entropy alone does not tell." : "."),
  );
}
