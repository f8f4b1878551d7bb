import type { Area, Pool, PoolRun } from "./run";
import { signalNames, type SignalName } from "./signals";

/** The bets, from sure that it holds to sure that it falls. */
export const bets = ["surely holds", "probably holds", "no idea", "probably falls", "surely falls"] as const;
const EVEN = 2;

export const digits = (x: number): string => x.toFixed(2);

export const areaInWords = ({ mean, low, high }: Area): string =>
  low === high
    ? `${digits(mean)}, as it never tells two runs apart`
    : `${digits(mean)} (${digits(low)} to ${digits(high)})`;

/** The outcome of a run next to the bet. */
export function outcomeInWords({ onset }: PoolRun, bet: number): string {
  const what =
    onset === null
      ? "It held through the last update, 500."
      : `It fell at update ${onset}, right after what you saw.`;
  const isRight = onset === null ? bet < EVEN : bet > EVEN;
  const judged =
    bet === EVEN ? "You left it open." : `You bet “${bets[bet]!}”: ${isRight ? "right" : "wrong"}.`;
  return `${what} ${judged}`;
}

/** A signal that was louder than in most runs that held. */
export interface Move {
  readonly name: SignalName;
  /** The update at which it was. */
  readonly at: number;
  readonly threshold: number;
  /** Share of the runs that held in which it was as loud. */
  readonly held: number;
}

/** A signal that is as loud in more of the runs that held tells nothing. */
const RARE = 0.25;

/** The signals that moved in the last 25 updates of a run, the first one first. */
export function movesOf(run: PoolRun, { runs, ladders }: Pool): Move[] {
  const held = runs.filter(({ onset }) => onset === null);
  return signalNames
    .flatMap((name) => {
      const level = run.level[name];
      if (level === 0) return [];
      const share = held.filter((other) => other.level[name] >= level).length / held.length;
      return share > RARE
        ? []
        : [{ name, at: run.reached[name], threshold: ladders[name][level - 1]!, held: share }];
    })
    .sort((a, b) => a.at - b.at);
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;

const phrases: Readonly<Record<SignalName, (threshold: number) => string>> = {
  success: (t) => `success fell below ${percent(t)} of its best`,
  equal: (t) => `the share of groups with equal rewards was more than ${t} above success`,
  spike: (t) => `the gradient spiked, by more than ${t} deviations of those before it`,
  std: (t) => `the std within groups fell below ${percent(t)} of its highest`,
};

/** The moves of a run, when they came, and how often the same is seen in runs that hold. */
export function movesInWords(moves: readonly Move[], { onset }: PoolRun): string {
  if (moves.length === 0) {
    const quiet = "No signal was louder in the last 25 updates than in many runs that held";
    return onset === null ? `${quiet}.` : `${quiet}: nothing foretold this fall.`;
  }
  const said = moves.map(
    ({ name, at, threshold, held }) =>
      `At update ${at} ${phrases[name](threshold)}, as in ${percent(held)} of the runs that held.`,
  );
  return said.join(" ");
}

/** Whether a bet was on the wrong side. */
export const isWrong = ({ onset }: PoolRun, bet: number): boolean =>
  onset === null ? bet > EVEN : bet < EVEN;

/** Number of right bets, and of runs that the reader left open, in words. */
export function countInWords(runs: readonly PoolRun[], made: readonly number[]): string {
  const open = made.filter((bet) => bet === EVEN).length;
  const right = made.length - open - made.filter((bet, i) => isWrong(runs[i]!, bet)).length;
  const left = open === 0 ? "" : `, and ${open} left open`;
  return `${right} of your ${made.length} bets ${right === 1 ? "was" : "were"} right${left}`;
}
