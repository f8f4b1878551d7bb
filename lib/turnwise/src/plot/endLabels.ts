/** The name of a series at the end of its line. */
export interface EndLabel {
  readonly series: string;
  readonly x: number;
  readonly y: number;
  /** Pixels down from the end of the line, so that no name covers another. */
  readonly shift: number;
}

interface Point {
  readonly series: string;
  readonly x: number;
  readonly y: number;
}

/** More names than this, or longer ones, would take the chart's width: then a legend is better. */
const most = { names: 6, letters: 30 };

/** Distance of the middles of two names, in pixels. */
const apart = 17;

/**
 * The names of lines at their last points, moved apart where lines end close together; none if a legend serves better.
 *
 * @param heights values that the vertical axis spans
 */
export function endLabels(
  points: readonly Point[],
  series: readonly string[],
  { height, heights }: { readonly height: number; readonly heights: readonly number[] },
): readonly EndLabel[] {
  if (series.length > most.names || series.some((name) => [...name].length > most.letters)) return [];
  const finite = heights.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  if (!(high > low))
    return series.length === 1 ? endsOf(points, series).map((end) => ({ ...end, shift: 0 })) : [];
  const due = endsOf(points, series)
    .map((end) => ({ ...end, at: ((high - end.y) / (high - low)) * height }))
    .sort((a, b) => a.at - b.at);
  const placed = spread(
    due.map(({ at }) => at),
    height,
  );
  return due.map(({ at, ...end }, i) => ({ ...end, shift: Number((placed[i]! - at).toFixed(1)) }));
}

function endsOf(points: readonly Point[], series: readonly string[]): Point[] {
  return series.flatMap((name) => {
    const end = points.filter((point) => point.series === name && Number.isFinite(point.y)).at(-1);
    return end === undefined ? [] : [{ series: name, x: end.x, y: end.y }];
  });
}

/** Ascending places at least `apart` from each other, each as near to its own as its neighbors allow. */
function spread(due: readonly number[], height: number): number[] {
  const down: number[] = [];
  for (const at of due) down.push(Math.max(at, (down.at(-1) ?? -Infinity) + apart));
  const over = Math.max(0, (down.at(-1) ?? 0) - height);
  const placed = [...down];
  // What was pushed below the axis pushes back up.
  if (over > 0) placed[placed.length - 1]! -= over;
  for (let i = placed.length - 2; i >= 0; i--) placed[i] = Math.min(placed[i]!, placed[i + 1]! - apart);
  return placed;
}
