import { box, hatch, line, text, widthOf } from "./shapes";
import type { Scene } from "./episodes";
import type { Look } from "./look";
import { creditColors, creditOpacity, roleMarks } from "./pieces";
import { plainNumber, signed } from "./words";

interface Entry {
  readonly words: string;
  /** Draws what the words explain, as high as a letter, with its top at y. */
  readonly swatch: (x: number, y: number) => string;
  readonly width: number;
}

const size = 14;
const rowHeight = 24;

/** Legend of the signs of a drawing; only of those that occur. */
export function drawLegend(
  scene: Scene,
  look: Look,
  { y, width }: { y: number; width: number },
): { readonly content: string; readonly height: number } {
  const parts: string[] = [];
  let [x, row] = [2, 0];
  for (const { words, swatch, width: wide } of entriesOf(scene, look)) {
    const needed = wide + 8 + widthOf(words, size);
    if (x > 2 && x + needed > width) [x, row] = [2, row + 1];
    const top = y + row * rowHeight + 4;
    parts.push(swatch(x, top), text(x + wide + 8, top + 13, words, { size, opacity: 0.9 }));
    x += needed + 22;
  }
  return { content: parts.join(""), height: parts.length === 0 ? 0 : (row + 1) * rowHeight + 4 };
}

function entriesOf({ rows, clip }: Scene, look: Look): Entry[] {
  const turns = rows.flatMap((row) => row.turns);
  const tokens = turns.flatMap((turn) => turn.tokens);
  const cell = { width: 26, height: 16 };
  const entries: Entry[] = [];
  if (turns.some(({ observation }) => observation !== "") || tokens.some(({ byWorld }) => byWorld)) {
    entries.push({
      words: "written by the world (mask 0)",
      width: cell.width,
      swatch: (x, y) =>
        hatch(x, y, cell.width, cell.height) +
        box(x, y, cell.width, cell.height, { stroke: "currentColor", strokeOpacity: 0.25 }),
    });
  }
  if (look.hasAdvantage) entries.push(creditEntry(look.most));
  if (look.hasRatio) {
    const bounds = [clip.low, clip.high].filter((bound) => bound > 0 && bound < Infinity);
    const dashes =
      bounds.length === 0 ? "" : `; dashes: clip at ${bounds.map((b) => plainNumber(b)).join(" and ")}`;
    entries.push({
      words: `bar: ratio to the old policy${dashes}`,
      width: 14,
      swatch: (x, y) =>
        line([x, y + 14], [x + 14, y + 14], { opacity: 0.7 }) +
        box(x + 4, y + 2, 6, 12, { fill: "currentColor", fillOpacity: 0.45, radius: 0 }),
    });
  }
  if (rows.length > 1 && turns.some(({ reward }) => reward !== undefined)) {
    entries.push({
      words: "reward of the turn",
      width: 16,
      swatch: (x, y) => text(x, y + 13, "1", { size: 15, bold: true }),
    });
  }
  for (const role of ["subgoal", "switch"] as const) {
    if (!tokens.some((token) => token.role === role)) continue;
    const words = role === "subgoal" ? "names a subgoal" : "keeps or switches it";
    entries.push({ words, width: 14, swatch: (x, y) => text(x, y + 13, roleMarks[role], { size: 15 }) });
  }
  if (turns.some(({ newSubgoal }) => newSubgoal)) {
    entries.push({
      words: "new subgoal",
      width: 8,
      swatch: (x, y) => line([x + 3, y], [x + 3, y + 16], { width: 5, opacity: 0.8 }),
    });
  }
  return entries;
}

/** A scale from the most negative to the most positive advantage, with the frames that tell them apart without color. */
function creditEntry(most: number): Entry {
  const steps = [-1, -0.5, 0, 0.5, 1].map((share) => share * most);
  const wide = 26;
  return {
    words: `advantage, from ${signed(-most)} to ${signed(most)}`,
    width: steps.length * (wide + 2) - 2,
    swatch: (x, y) =>
      steps
        .map((value, i) => {
          const color = value < 0 ? creditColors.less : creditColors.more;
          const style =
            value === 0
              ? { fill: "currentColor", fillOpacity: 0.05, stroke: "currentColor", strokeOpacity: 0.55 }
              : {
                  fill: color,
                  fillOpacity: creditOpacity(value, most),
                  stroke: color,
                  strokeWidth: 2,
                  ...(value < 0 && { dash: "4 3" }),
                };
          return box(x + i * (wide + 2), y, wide, 16, style);
        })
        .join(""),
  };
}
