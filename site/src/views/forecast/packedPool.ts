import { curveNames, type Area, type CurveName, type Pool, type PoolRun } from "./run";
import { signalNames, type SignalName } from "./signals";

/** A pool as the site stores it: a curve is a text, a character a value. */
export interface PackedPool {
  readonly settings: readonly string[];
  readonly areas: Pool["areas"];
  readonly ladders: Pool["ladders"];
  readonly runs: readonly PackedRun[];
}

type PackedRun = readonly [
  setting: number,
  seed: number,
  onset: number,
  last: number,
  levels: string,
  reached: readonly number[],
  ...curves: string[],
];

/** Steps of a curve, and the character of the lowest one. Shares of 64 episodes, or of 8 groups, are exact. */
const STEPS = 64;
const FIRST = 40;

/** The range of each curve; a gradient is drawn by its magnitude, and one of 0 as the smallest. */
export const ranges: Readonly<Record<CurveName, readonly [low: number, high: number]>> = {
  success: [0, 1],
  equal: [0, 1],
  std: [0, 0.4],
  gradient: [-6, -1],
};

const heightOf = (curve: CurveName, value: number): number =>
  curve === "gradient" ? (value > 0 ? Math.log10(value) : -Infinity) : value;

/** Values as a text; what is out of range is at its end. */
export function packedCurve(curve: CurveName, values: readonly number[]): string {
  const [low, high] = ranges[curve];
  return values
    .map((value) => {
      const share = (heightOf(curve, value) - low) / (high - low);
      return String.fromCharCode(FIRST + Math.round(STEPS * Math.min(1, Math.max(0, share))));
    })
    .join("");
}

/** The heights of a curve, from 0 to 1 of its range. */
export const unpackedCurve = (text: string): number[] =>
  Array.from(text, (sign) => (sign.charCodeAt(0) - FIRST) / STEPS);

/** A pool as it is stored. */
export function packedPool({ runs, areas, ladders }: Pool): PackedPool {
  const settings = [...new Set(runs.map(({ setting }) => setting))];
  const digits = ({ mean, low, high }: Area): Area => ({
    mean: Number(mean.toFixed(3)),
    low: Number(low.toFixed(3)),
    high: Number(high.toFixed(3)),
  });
  return {
    settings,
    ladders,
    areas: Object.fromEntries(signalNames.map((name) => [name, digits(areas[name])])) as Record<
      SignalName,
      Area
    >,
    runs: runs.map((run): PackedRun => [
      settings.indexOf(run.setting),
      run.seed,
      run.onset ?? 0,
      run.last,
      signalNames.map((name) => run.level[name]).join(""),
      signalNames.map((name) => run.reached[name]),
      ...curveNames.map((name) => packedCurve(name, run.curves[name])),
    ]),
  };
}

/** The pool of a stored one; its curves are heights, from 0 to 1. */
export function unpackedPool({ settings, areas, ladders, runs }: PackedPool): Pool {
  const bySignal = <T>(of: (i: number) => T): Record<SignalName, T> =>
    Object.fromEntries(signalNames.map((name, i) => [name, of(i)])) as Record<SignalName, T>;
  return {
    areas,
    ladders,
    runs: runs.map(([setting, seed, onset, last, levels, reached, ...curves]): PoolRun => ({
      setting: settings[setting]!,
      seed,
      onset: onset === 0 ? null : onset,
      last,
      level: bySignal((i) => Number(levels[i])),
      reached: bySignal((i) => reached[i]!),
      curves: Object.fromEntries(
        curveNames.map((name, i) => [name, unpackedCurve(curves[i]!)]),
      ) as unknown as PoolRun["curves"],
    })),
  };
}
