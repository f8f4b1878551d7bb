import { intervalText, progressLine, progressText, type SweepProgress } from "../sweep/progress";
import { displaySymbol, liveSymbol, type MimeBundle } from "../base/display";
import { escapeHtml } from "./escapeHtml";
import { swatch } from "./ruleStyle";

/** What the table needs of a sweep. */
export interface SweepLike {
  readonly progress: SweepProgress;
  /** Calls the listener at every change, until the returned function is called. */
  onProgress(listener: () => void): () => void;
}

/** The progress of a sweep as a table that redraws itself while results arrive. */
export class SweepTable {
  constructor(readonly run: SweepLike) {}

  /** What a notebook shows in its place. */
  [displaySymbol](): MimeBundle {
    const { progress } = this.run;
    return { "text/html": html(progress), "text/plain": progressText(progress) };
  }

  /** How a notebook shows it while it changes. */
  [liveSymbol](notify: () => void): () => void {
    return this.run.onProgress(notify);
  }
}

/**
 * A live table of a sweep's settings: jobs done, state, and the metric's mean with its bootstrap interval over seeds.
 *
 * @example
 * import { sweep, sweepTable } from "turnwise";
 * const run = sweep({ recipe: ["grpo", "rloo"], env: "LookUp-v0", updates: 5, seeds: 2, metric: "reward/mean" });
 * const shown = sweepTable(run); // in a notebook: display(shown), before the next line
 * await run;
 * shown.run.progress.cells.length; // => 2
 */
export function sweepTable(run: SweepLike): SweepTable {
  return new SweepTable(run);
}

function html(p: SweepProgress): string {
  const cell = (text: string, side: string): string =>
    `<td style="text-align:${side}">${escapeHtml(text)}</td>`;
  const rows = p.cells.map((c) => {
    const state = c.failed > 0 ? `${c.state}, ${c.failed} failed` : c.state;
    return (
      `<tr><td style="text-align:left">${swatch(c.label)}${escapeHtml(c.label)}</td>` +
      `<td><progress value="${c.done}" max="${Math.max(1, c.planned)}"></progress></td>` +
      `${cell(`${c.done}/${c.planned}`, "right")}${cell(state, "left")}${cell(intervalText(c.metric), "right")}</tr>`
    );
  });
  const head = ["setting", "", "jobs", "state", `${p.metric ?? "value"}, 95 % interval`];
  return (
    `<table><caption>Sweep: ${escapeHtml(progressLine(p))}</caption>` +
    `<thead><tr>${head.map((h) => `<th style="text-align:left">${escapeHtml(h)}</th>`).join("")}</tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table>`
  );
}
