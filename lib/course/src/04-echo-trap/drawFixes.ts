import type { Chart } from "turnwise/internal/plot/chart";
import { heatMap } from "turnwise/internal/plot/heatMap";
import { fixesTitle } from "./fixesTitle";
import { leverMatrix, leverTraps, type JudgedLever } from "./leverMatrix";
import type { LeverName } from "../shared/echoTrap/levers";
import type { StoredRun } from "../shared/echoTrap/stored";

/** At most eight can be read from the last row; the appendix has all of them. */
const shownLevers: Readonly<Partial<Record<LeverName, string>>> = {
  "1 step per batch": "one step per batch",
  "Adam beta2 .95": "Adam with beta2 = .95",
  "KL to reference .2": "KL to the start, exact",
  "no std": "no division by the std",
  "filter 50 %": "filter: half of the groups",
  "gradient clip": "clip of the gradient",
  "dual clip 3": "dual clip at 3",
  "SO-GRPO, KL": "turn's mean, our penalty",
};
const columns = { reuse: "A: reuse", cost: "B: cost", mismatch: "C: mismatch" } as const;

/**
 * Chart of the effect of eight levers in the three traps: the word of the entire matrix, and the gain in success over
 * GRPO.
 *
 * @param runs the stored grid, whose other levers count in the family by which each word is decided
 */
export function drawFixes(runs: readonly StoredRun[]): Chart {
  const judged = leverMatrix(runs).filter(({ lever }) => lever in shownLevers);
  const cells = leverTraps.flatMap((trap) =>
    judged
      .filter((one) => one.trap === trap)
      .map(({ lever, gain, word }) => ({
        column: columns[trap],
        row: shownLevers[lever]!,
        // What was not shown has no color: its number could be luck.
        value: short(word) === "?" ? 0 : gain.mean,
        label: `${short(word)} ${signed(gain.mean)}`,
      })),
  );
  return heatMap(cells, {
    title: fixesTitle(judged, "fixes"),
    subtitle: "gain in success over GRPO, 40 seeds; ?, without a color: not shown; ≈: too small to matter",
    columnTitle: "trap",
    rowTitle: "fix",
    scale: "sign",
    cellWidth: 150,
    cellHeight: 40,
    rows: Object.values(shownLevers),
  });
}

const short = (word: JudgedLever["word"]): string => words[word] ?? word;
const words: Readonly<Partial<Record<JudgedLever["word"], string>>> = {
  "no effect that matters": "≈",
  "not shown": "?",
  "too few seeds": "?",
};
const signed = (x: number): string => `${x <= -0.005 ? "-" : "+"}${Math.abs(x).toFixed(2)}`;
