import { mean } from "../base/statistics";
import { Chart, vegaLiteSchema } from "../plot/chart";
import { largeLetters } from "../plot/large";
import { neutralColor } from "../plot/palette";
import { shadeOf } from "../plot/shade";
import { atCenter, type Axis } from "./center";
import { cardFigures, figureText, type CardRecord } from "./figures";
import type { FigureName } from "./tally";

/** Options of the picture of a card. */
export interface CardChartOptions {
  /** Default `gain`. */
  readonly figure?: FigureName;
  /** Only this world. Default: a panel that compares the worlds, and means over them along the axes. */
  readonly world?: string;
}

const titles: Readonly<Record<Axis, string>> = {
  groupSize: "group size",
  groups: "groups",
  staleness: "steps since rollout",
  mismatch: "mismatch, nats",
  horizon: "turns",
};

interface Cell {
  readonly row: string;
  readonly column: string;
  readonly value: number;
  readonly label: string;
}

interface Panel {
  readonly title: string;
  readonly cells: readonly Cell[];
}

/** Value from which on the color is full; figures without an upper bound reach it at 1. */
const FULL = 1;

/**
 * A panel of cells for the worlds and for each axis that has several values; a row of cells is a rule.
 *
 * Letters stand on the cells' own colors, so that both themes show the same. Orange is below 0, blue above.
 *
 * @throws {RangeError} if there is no record, or none of the world
 */
export function cardChart(records: readonly CardRecord[], o: CardChartOptions = {}): Chart {
  const { figure = "gain", world } = o;
  const chosen = world === undefined ? records : records.filter((record) => record.world === world);
  if (chosen.length === 0) {
    const known = [...new Set(records.map((record) => record.world))].join(", ") || "none";
    throw new RangeError(
      `Cannot draw the report card: it must hold records${world === undefined ? "" : ` of world "${world}"`}, but its worlds are ${known}.`,
    );
  }
  const panels = panelsOf(chosen, figure);
  const rows = [...new Set(chosen.map(({ row }) => row))];
  const { about, unit } = cardFigures[figure];
  const title = titleOf(panels[0]!, figure);
  const listed = panels.map(
    (panel) => `${panel.title}: ${panel.cells.map((c) => `${c.row} at ${c.column} ${c.label}`).join(", ")}`,
  );
  const description = `${title}, ${about}. ${listed.join(". ")}.`;
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: { text: title, subtitle: wrapped(`${about} [${unit}]`) },
      hconcat: panels.map((panel, p) => panelSpec(panel, rows, p === 0)),
      spacing: 14,
      config: largeLetters,
    },
    description,
  );
}

/** States where the figure is lowest among the worlds; where none compares, only which figure it is. */
function titleOf({ cells }: Panel, figure: FigureName): string {
  const known = cells.filter(({ value }) => !Number.isNaN(value));
  if (known.length < 2) return `Report card: ${figure}`;
  const lowest = known.reduce((a, b) => (b.value < a.value ? b : a));
  return `Report card: ${figure}, lowest ${lowest.label} (${lowest.row} in ${lowest.column})`;
}

/** All worlds at their centers; then each axis, along which all else stays as it is there. */
function panelsOf(records: readonly CardRecord[], figure: FigureName): Panel[] {
  const every = [...new Set(records.map(({ world }) => world))];
  const isCenter = atCenter(records);
  const worlds: Panel = {
    title: "world",
    cells: records
      .filter((record) => isCenter(record))
      .map((record) => cell(record.row, record.world, [record], figure)),
  };
  const along = (Object.keys(titles) as Axis[]).flatMap((axis): Panel[] => {
    // Means are over the worlds in which the axis has values to compare.
    const own = records.filter((record) => isCenter(record, axis));
    const several = every.filter(
      (world) => new Set(own.filter((r) => r.world === world).map((r) => r[axis])).size > 1,
    );
    const compared = own.filter((record) => several.includes(record.world));
    const values = [...new Set(compared.map((record) => record[axis]))].sort((a, b) => a - b);
    const rows = [...new Set(compared.map(({ row }) => row))];
    const cells = rows.flatMap((row) =>
      values.map((value) => {
        const at = compared.filter((record) => record.row === row && record[axis] === value);
        return cell(row, String(value), at, figure);
      }),
    );
    return cells.length === 0 ? [] : [{ title: titles[axis], cells }];
  });
  return [worlds, ...along];
}

function cell(row: string, column: string, records: readonly CardRecord[], figure: FigureName): Cell {
  const value = mean(records.map((record) => record[figure].value));
  return { row, column, value, label: figureText({ value, error: null }, Math.abs(value) < 0.1 ? 3 : 2) };
}

function panelSpec(
  { title, cells }: Panel,
  rows: readonly string[],
  first: boolean,
): Record<string, unknown> {
  const columns = [...new Set(cells.map(({ column }) => column))];
  // JSON has no infinite numbers.
  const values = cells.map((c) => ({
    ...c,
    shade: Math.max(-FULL, Math.min(FULL, Number.isNaN(c.value) ? 0 : c.value)),
  }));
  const y = {
    field: "row",
    type: "ordinal",
    sort: [...rows],
    title: null,
    axis: first ? {} : null,
  };
  return {
    title: { text: title, fontSize: 14, fontWeight: "normal", anchor: "middle" },
    width: { step: title === "world" ? 74 : 56 },
    height: { step: 24 },
    data: { values: values.map(({ value: _, ...rest }) => rest) },
    encoding: {
      x: {
        field: "column",
        type: "ordinal",
        sort: columns,
        title: null,
        axis: { orient: "top", labelAngle: 0 },
      },
      y,
    },
    layer: [
      {
        mark: { type: "rect", stroke: neutralColor, strokeWidth: 0.5 },
        encoding: {
          ...shadeOf("shade", FULL),
          tooltip: [{ field: "row" }, { field: "column", title }, { field: "label" }],
        },
      },
      { mark: { type: "text", fontSize: 13 }, encoding: { text: { field: "label" } } },
    ],
  };
}

/** Subtitles do not break their lines. */
function wrapped(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1)!.length + word.length > 100) lines.push("");
    lines[lines.length - 1] = `${lines.at(-1)!} ${word}`.trimStart();
  }
  return lines;
}
