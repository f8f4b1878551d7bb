import { mean } from "turnwise/internal/base/statistics";
import { Drawing } from "turnwise/internal/plot/drawing";
import { seriesColors } from "turnwise/internal/plot/palette";
import { box, text } from "turnwise/internal/plot/trajectory/shapes";
import { cellOf } from "../shared/echoTrap/leverEffect";
import type { LeverName } from "../shared/echoTrap/levers";
import type { StoredRun } from "../shared/echoTrap/stored";

interface Cause {
  readonly trap: "reuse" | "cost" | "mismatch";
  readonly name: string;
  readonly see: readonly string[];
  readonly because: readonly string[];
  readonly fix: readonly string[];
  /** The lever of the stored grid whose figures stand below. */
  readonly lever: LeverName;
}

const causes: readonly Cause[] = [
  {
    trap: "reuse",
    name: "A  reuse",
    see: ["rises, falls silent,", "falls"],
    because: ["after silence, Adam", "steps at full size"],
    fix: ["fewer steps", "on each batch"],
    lever: "1 step per batch",
  },
  {
    trap: "cost",
    name: "B  cost",
    see: ["guesses at best,", "answers at once"],
    because: ["a tiny cost, divided", "by its own std"],
    fix: ["no division", "by the std"],
    lever: "no std",
  },
  {
    trap: "mismatch",
    name: "C  mismatch",
    see: ["wild ratios,", "wild gradients"],
    because: ["a bad token whose", "ratio is not bounded"],
    fix: ["dual clip,", "clip of the gradient"],
    lever: "dual clip 3",
  },
];

const left = 118;
const column = 226;
const width = left + causes.length * column;
const rows = { see: 96, because: 176, fix: 256, success: 336 } as const;
const height = 376;

/** The lesson on one slide: one symptom, three causes, and for each the lever that fixes it, with the success that it brings. */
export function drawOneSymptom(runs: readonly StoredRun[]): Drawing {
  const success = (trap: Cause["trap"], lever: LeverName): string =>
    mean(cellOf(runs, trap, lever).map(({ final }) => final)).toFixed(2);
  const told = causes.map((one) => ({
    ...one,
    gain: `${success(one.trap, "vanilla")} → ${success(one.trap, one.lever)}`,
  }));
  const labels = Object.entries({
    see: "you see",
    because: "because",
    fix: "fix it by",
    success: "success",
  });
  const side = labels.map(([row, words]) =>
    text(left - 14, rows[row as keyof typeof rows] + 8, words, { size: 17, anchor: "end", opacity: 0.8 }),
  );
  const title = "One symptom, three causes: find yours before you choose a fix";
  return new Drawing({
    width,
    height,
    content: text(2, 24, title, { size: 19, bold: true }) + side.join("") + told.map(drawCause).join(""),
    label: title,
    text: [title, ...told.map(textOf)].join("\n"),
  });
}

function drawCause(one: Cause & { readonly gain: string }, at: number): string {
  const x = left + at * column;
  const middle = x + column / 2 - 6;
  const lines = (y: number, words: readonly string[], style: { bold?: boolean } = {}): string =>
    words.map((word, i) => text(middle, y + i * 22, word, { size: 18, anchor: "middle", ...style })).join("");
  const frame = box(x, 42, column - 12, height - 50, {
    fill: seriesColors[at]!,
    fillOpacity: 0.12,
    stroke: seriesColors[at]!,
    strokeWidth: 2,
    radius: 10,
  });
  return (
    frame +
    text(middle, 70, one.name, { size: 21, bold: true, anchor: "middle" }) +
    lines(rows.see + 8, one.see) +
    lines(rows.because + 8, one.because) +
    lines(rows.fix + 8, one.fix, { bold: true }) +
    text(middle, rows.success + 10, one.gain, { size: 22, bold: true, anchor: "middle" })
  );
}

const textOf = ({ name, see, because, fix, gain }: Cause & { readonly gain: string }): string =>
  `${name}: ${see.join(" ")}; because: ${because.join(" ")}; fix it by ${fix.join(" ")}; success ${gain}`;
