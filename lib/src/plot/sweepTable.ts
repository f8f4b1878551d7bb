import { intervalText, progressLine, progressText, type SweepProgress } from "../sweep/progress";
import { displaySymbol, liveSymbol, type MimeBundle } from "../base/display";
import { escapeHtml } from "./escapeHtml";

/** What the table reads of a sweep. */
export interface SweepLike {
  readonly progress: SweepProgress;
  onProgress(listener: () => void): () => void;
}

/** How far a sweep is, as a table that redraws itself while results come. */
export class SweepTable {
  constructor(readonly run: SweepLike) {}

  [displaySymbol](): MimeBundle {
    const { progress } = this.run;
    return { "text/html": html(progress), "text/plain": progressText(progress) };
  }

  [liveSymbol](notify: () => void): () => void {
    return this.run.onProgress(notify);
  }
}

/**
 * A table of a sweep's settings: jobs done, state, and the metric's mean with its bootstrap interval over seeds.
 *
 * Show it with `display(sweepTable(run))` before `await run`.
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
      `<tr>${cell(c.label, "left")}` +
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
