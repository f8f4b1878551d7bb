import { Drawing } from "turnwise/internal/plot/drawing";
import { seriesColors } from "turnwise/internal/plot/palette";
import { box, text } from "turnwise/internal/plot/trajectory/shapes";

/** A line of a takeaway. */
export interface TakeawayRow {
  /** `yes` is blue with a tick, `no` orange with a cross, `open` gray with a question mark. */
  readonly mark: "yes" | "no" | "open";
  readonly what: string;
  readonly why: string;
}

const width = 720;
const rowHeight = 74;
const marks = {
  yes: { sign: "✓", color: seriesColors[0]!, fillOpacity: 0.16 },
  no: { sign: "✗", color: seriesColors[1]!, fillOpacity: 0.16 },
  open: { sign: "?", color: "currentColor", fillOpacity: 0.06 },
} as const;

/** Takeaway of a lesson on the last slide: a title, and a line with its reason for each thing to remember. */
export function takeaway(title: string, rows: readonly TakeawayRow[]): Drawing {
  const drawn = rows.map(({ mark, what, why }, i) => {
    const { sign, color, fillOpacity } = marks[mark];
    const top = 44 + i * rowHeight;
    const frame = { fill: color, fillOpacity, stroke: color, strokeWidth: 2, radius: 10 };
    return (
      box(4, top, width - 8, rowHeight - 10, frame) +
      text(34, top + 42, sign, { size: 30, bold: true, anchor: "middle" }) +
      text(66, top + 28, what, { size: 20, bold: true }) +
      text(66, top + 52, why, { size: 17 })
    );
  });
  const lines = rows.map(({ mark, what, why }) => `${marks[mark].sign} ${what}: ${why}`);
  return new Drawing({
    width,
    height: 44 + rows.length * rowHeight,
    content: text(4, 26, title, { size: 22, bold: true }) + drawn.join(""),
    label: `${title}. ${rows.map(({ what, why }) => `${what}: ${why}`).join(". ")}.`,
    text: [title, ...lines].join("\n"),
  });
}
