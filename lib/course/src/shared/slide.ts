import { Drawing } from "turnwise/internal/plot/drawing";
import { seriesColors } from "turnwise/internal/plot/palette";
import { box, text } from "turnwise/internal/plot/trajectory/shapes";

/** A line of a slide: what it is about, and what there is to say of it. */
export interface SlideLine {
  readonly name: string;
  readonly says: string;
}

const width = 760;
const rowHeight = 58;
const top = 44;

/** Summary of a lesson on one slide: a box for each name, the last one lit, and a sentence next to it. */
export function slide(title: string, lines: readonly SlideLine[], boxWidth = 330): Drawing {
  const rows = lines.map(({ name, says }, i) => {
    const y = top + i * rowHeight;
    const last = i === lines.length - 1;
    const frame = box(2, y, boxWidth, rowHeight - 10, {
      fill: seriesColors[0]!,
      fillOpacity: last ? 0.4 : 0.06 + 0.05 * i,
      stroke: seriesColors[0]!,
      strokeOpacity: last ? 1 : 0.5,
      strokeWidth: last ? 4 : 2,
      radius: 10,
    });
    const words = text(2 + boxWidth / 2, y + 31, name, { size: 21, bold: true, anchor: "middle" });
    return frame + words + text(boxWidth + 22, y + 31, says, { size: 20 });
  });
  return new Drawing({
    width,
    height: top + lines.length * rowHeight,
    content: text(2, 24, title, { size: 20, bold: true }) + rows.join(""),
    label: `${title}. ${lines.map(({ name, says }) => `${name}: ${says}`).join(" ")}`,
    text: [title, ...lines.map(({ name, says }) => `  ${name.padEnd(26)}${says}`)].join("\n"),
  });
}
