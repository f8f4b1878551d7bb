import type { Line } from "../shared/lineChart";
import type { Progress } from "./client";
import { number, type Ending } from "./words";

/** Looks of runs, in their order. */
export const looks = ["b", "a", "c", "d", "e"] as const;

/** So many batches' rewards are drawn as their mean, where the exact return is not known. */
const smoothed = 10;

/** The curve of a run: its exact return, or the mean reward of its latest batches. */
export function curveOf({ points, start }: Pick<Progress, "points" | "start">): Line["points"] {
  if (start !== undefined) {
    const measured = points.flatMap(({ update, exact }) =>
      exact === undefined ? [] : [[update, exact] as const],
    );
    return [[0, start], ...measured];
  }
  let sum = 0;
  return points.map(({ update, reward }, i) => {
    sum += reward - (i >= smoothed ? points[i - smoothed]!.reward : 0);
    return [update, sum / Math.min(i + 1, smoothed)] as const;
  });
}

export function endingOf(name: string, curve: Line["points"]): Ending {
  return { name, peak: Math.max(...curve.map(([, y]) => y)), end: curve.at(-1)![1] };
}

export const lineOf = (name: string, look: string, curve: Line["points"], isChosen: boolean): Line => ({
  name,
  look: isChosen ? `${look} thick` : look,
  points: curve,
  ...(curve.length > 0 && { value: number(curve.at(-1)![1]) }),
});

/** The heights between which all curves and the optimum lie. */
export function rangeOf(curves: readonly Line["points"][], optimum: number | undefined): [number, number] {
  const all = curves.flatMap((points) => points.map(([, y]) => y));
  const low = Math.min(0, ...all);
  const high = Math.max(optimum ?? -Infinity, ...all, low + 0.1);
  return [low, high];
}
