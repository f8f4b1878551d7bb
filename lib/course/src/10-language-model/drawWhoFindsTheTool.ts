import { Drawing } from "turnwise/internal/plot/drawing";
import { seriesStyles } from "turnwise/internal/plot/ruleStyle";
import { text } from "turnwise/internal/plot/trajectory/shapes";
import { learned, runsWith } from "../shared/languageRuns/runsOf";
import type { StoredLanguageRun } from "../shared/languageRuns/stored";

const rules = [
  ["GRPO", "grpo"],
  ["SeeUPO", "seeUpo"],
] as const;
const left = 118;
const column = 138;
const dot = 9;
const top = 122;
const row = 92;

/** The lesson on one slide: a dot for each model, filled where it has learned the tool, by how often it was shown. */
export function drawWhoFindsTheTool(runs: readonly StoredLanguageRun[]): Drawing {
  const own = runsWith(runs, { world: "calculator" });
  const skills = [...new Set(own.map(({ skill }) => skill))].sort((a, b) => a - b);
  const title = "Reward makes a habit of what imitation has hinted at";
  const colors = seriesStyles(rules.map(([name]) => name)).map(({ color }) => color);
  const parts = [
    text(2, 26, title, { size: 21, bold: true }),
    text(2, 56, "filled: solves more than three of four tasks after 300 updates", { size: 16, opacity: 0.8 }),
  ];
  const told: string[] = [];
  skills.forEach((skill, c) => {
    const shown = skill === 0 ? "never shown" : `shown ${10 * skill} in 10`;
    parts.push(text(left + column * (c + 0.5), 96, shown, { size: 16, bold: true, anchor: "middle" }));
  });
  rules.forEach(([name, rule], r) => {
    const y = top + r * row;
    parts.push(text(left - 16, y + row / 2 - 4, name, { size: 19, bold: true, anchor: "end" }));
    skills.forEach((skill, c) => {
      const cell = runsWith(own, { skill, rule });
      const found = cell.filter(learned).length;
      parts.push(dots(left + column * c + 20, y + 14, { found, of: cell.length, color: colors[r]! }));
      told.push(`${name}, skill ${skill}: ${found} of ${cell.length}`);
    });
  });
  const width = left + skills.length * column;
  const label = `${title}. ${told.join("; ")}.`;
  return new Drawing({
    width,
    height: top + 2 * row + 4,
    content: parts.join(""),
    label,
    text: [title, ...told].join("\n"),
  });
}

/** Two rows of dots, the filled ones first. */
function dots(
  x: number,
  y: number,
  { found, of, color }: { readonly found: number; readonly of: number; readonly color: string },
): string {
  const half = Math.ceil(of / 2);
  return Array.from({ length: of }, (_, i) => {
    const [cx, cy] = [x + (i % half) * 2.7 * dot, y + Math.floor(i / half) * 2.9 * dot];
    const fill = i < found ? `fill="${color}"` : 'fill="none"';
    return `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${dot}" ${fill} stroke="${color}" stroke-width="2"/>`;
  }).join("");
}
