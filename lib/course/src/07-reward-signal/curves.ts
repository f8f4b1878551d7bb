import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { CurvePoint } from "turnwise/internal/plot/curveSpec";
import type { StoredRecord } from "../shared/storedTable";
import { numbers } from "../shared/samples";

/** Which rows a line is drawn from, and the column that it shows. */
export interface CurveOf {
  readonly rows: readonly StoredRecord[];
  readonly column: string;
}

/** For `lineChart`: the mean of each line at every stored update with its interval, and where each seed ends as a dot. */
export function curves(lines: Readonly<Record<string, CurveOf>>): {
  readonly series: Record<string, Omit<CurvePoint, "series">[]>;
  readonly dots: { readonly series: string; readonly x: number; readonly y: number }[];
} {
  const found = Object.entries(lines).map(([name, { rows, column }]) => {
    const updates = [...new Set(numbers(rows, "update"))].sort((a, b) => a - b);
    const at = (update: number): number[] =>
      numbers(
        rows.filter((row) => row["update"] === update),
        column,
      );
    const points = updates.map((x) => {
      const { mean, low, high } = bootstrapInterval(at(x), { resamples: 400 });
      return { x, y: mean, low, high };
    });
    const last = updates.at(-1);
    const dots = last === undefined ? [] : at(last).map((y) => ({ series: name, x: last, y }));
    return { name, points, dots };
  });
  return {
    series: Object.fromEntries(found.map(({ name, points }) => [name, points])),
    dots: found.flatMap(({ dots }) => dots),
  };
}
