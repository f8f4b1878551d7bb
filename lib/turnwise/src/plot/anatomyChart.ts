import { Chart, vegaLiteSchema } from "./chart";
import { decimate } from "./decimate";
import { largeLetters } from "./large";
import { neutralColor, seriesColors } from "./palette";

/** One of the curves that stand above each other. */
export interface AnatomyPanel {
  readonly title: string;
  readonly values: readonly (number | undefined)[];
  /** Logarithmic axis. Values at or below 0 are left out and leave gaps. */
  readonly log?: boolean;
  readonly domain?: readonly [number, number];
}

/** A mark at an update, with its label. */
export interface AnatomyEvent {
  readonly update: number;
  readonly label: string;
}

/**
 * Panels of one run, one below the other over a shared axis of updates, with a numbered vertical line at each event.
 *
 * Missing values and values that are not finite leave gaps. The subtitle lists the events.
 *
 * @throws {RangeError} if no panel has a value that can be drawn
 */
export function anatomyChart(
  panels: readonly AnatomyPanel[],
  o: { readonly title: string; readonly events?: readonly AnatomyEvent[]; readonly width?: number },
): Chart {
  const drawable = panels
    .map((panel) => ({ ...panel, points: pointsOf(panel) }))
    .filter((p) => p.points.length > 0);
  if (drawable.length === 0) {
    throw new RangeError("Cannot draw an anatomy: a panel must have finite values.");
  }
  const updates = Math.max(...panels.map((panel) => panel.values.length));
  const listed = (o.events ?? []).map(({ update, label }, i) => `${i + 1} ${label}, update ${update}`);
  const rules = rulesOf(o.events ?? [], 0.04 * updates);
  const x = {
    field: "update",
    type: "quantitative",
    title: "update",
    scale: { domain: [0, updates], nice: false },
  };
  const vconcat = drawable.map(({ title, log, domain, points }, i) => {
    const last = i === drawable.length - 1;
    const axis = last ? {} : { axis: { labels: false, title: null, ticks: false } };
    const scale = log ? { type: "log" } : domain ? { domain: [...domain] } : { zero: true };
    return {
      width: o.width ?? 560,
      height: 84,
      layer: [
        {
          data: { values: rules },
          mark: { type: "rule", color: neutralColor, strokeDash: [4, 3], strokeWidth: 1.5 },
          encoding: { x: { ...x, ...axis } },
        },
        ...(i === 0
          ? [
              {
                data: { values: rules },
                mark: {
                  type: "text",
                  color: neutralColor,
                  fontSize: 14,
                  fontWeight: "bold",
                  // Numbers at the first updates stay clear of the axis and its labels.
                  ...{ align: "left", dx: -4, dy: -8, y: 0 },
                },
                encoding: { x: { ...x, ...axis }, text: { field: "numbers" } },
              },
            ]
          : []),
        {
          data: { values: points },
          mark: {
            type: "line",
            strokeWidth: 2,
            color: seriesColors[0],
            ...(log && { point: { size: 12 } }),
          },
          encoding: {
            x: { ...x, ...axis },
            y: { field: "value", type: "quantitative", title, scale, axis: { tickCount: 3 } },
            detail: { field: "piece" },
          },
        },
      ],
    };
  });
  const ends = drawable.map(({ title, points }) => {
    const values = points.map((point) => point.value);
    return `${title} between ${Math.min(...values).toPrecision(3)} and ${Math.max(...values).toPrecision(3)}`;
  });
  const description = `${o.title}, ${updates} updates. ${ends.join("; ")}. Events: ${listed.join("; ") || "none"}.`;
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: listed.length === 0 ? o.title : { text: o.title, subtitle: listed, subtitleFontSize: 13 },
      vconcat,
      spacing: 6,
      resolve: { scale: { x: "shared" } },
      config: largeLetters,
    },
    description,
  );
}

/** One vertical line per update with events; numbers that would overlap stand together at the first of their lines. */
function rulesOf(events: readonly AnatomyEvent[], apart: number): { update: number; numbers: string }[] {
  const sorted = events
    .map(({ update }, i) => ({ update, number: i + 1 }))
    .sort((a, b) => a.update - b.update);
  const rules = new Map<number, number[]>();
  let head = -Infinity;
  for (const { update, number } of sorted) {
    if (update - head > apart) head = update;
    if (!rules.has(update)) rules.set(update, []);
    rules.get(head)!.push(number);
  }
  return [...rules].map(([update, own]) => ({ update, numbers: own.join(", ") }));
}

/** The finite values with their updates; `piece` numbers the stretches between gaps, each of which is a line of its own. */
function pointsOf({ values, log }: AnatomyPanel): { update: number; value: number; piece: number }[] {
  const pieces: { x: number; y: number }[][] = [[]];
  values.forEach((value, i) => {
    if (value === undefined || !Number.isFinite(value) || (log && value <= 0)) {
      if (pieces.at(-1)!.length > 0) pieces.push([]);
    } else {
      pieces.at(-1)!.push({ x: i + 1, y: value });
    }
  });
  return pieces.flatMap((piece, number) =>
    decimate(piece, 300).map(({ x, y }) => ({ update: x, value: y, piece: number })),
  );
}
