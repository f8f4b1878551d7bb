import type { AnyText } from "../base/anyText";
import type { MetricName } from "../base/glossary";
import { intervalText, progressLine, progressText, type SweepProgress } from "../sweep/progress";
import { outcomeProgress, type OutcomeLike } from "../sweep/outcomeProgress";
import { displaySymbol, liveSymbol, type MimeBundle } from "../base/display";
import { escapeHtml } from "./escapeHtml";
import { swatch } from "./ruleStyle";

/** Parts of a sweep that the table needs. */
export interface SweepLike {
  readonly progress: SweepProgress;
  /** Calls the listener at every change, until the returned function is called. */
  onProgress(listener: () => void): () => void;
}

/** The progress of a sweep as a table that redraws itself while results arrive. */
export class SweepTable {
  constructor(readonly run: SweepLike) {}

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    const { progress } = this.run;
    return { "text/html": html(progress), "text/plain": progressText(progress) };
  }

  /** Live view of it in a notebook while it changes. */
  [liveSymbol](notify: () => void): () => void {
    return this.run.onProgress(notify);
  }
}

/**
 * A table of a sweep's settings: jobs done, state, and the metric's mean with its bootstrap interval over seeds.
 *
 * Of a running sweep it is live. Of what a finished one gave it shows `metric`, else the sweep's own, else the first of
 * return/exact, success/mean and reward/mean that all results have.
 *
 * @throws {TypeError} if it is neither a sweep nor what one gave
 * @throws {RangeError} if results lack the metric
 * @example
 * import { sweep, sweepTable } from "turnwise";
 * const run = sweep({ recipe: ["grpo", "rloo"], env: "LookUp-v0", updates: 5, seeds: 2, metric: "reward/mean" });
 * const shown = sweepTable(run); // in a notebook: display(shown), before the next line
 * const outcome = await run;
 * shown.run.progress.cells.length; // => 2
 * sweepTable(outcome, { metric: "policy/entropy" }).run.progress.metric; // => "policy/entropy"
 */
export function sweepTable(
  run: SweepLike | OutcomeLike,
  o: { readonly metric?: MetricName | AnyText } = {},
): SweepTable {
  if (isRunning(run)) return new SweepTable(run);
  if (!isOutcome(run)) {
    const promise = typeof (run as { then?: unknown } | null)?.then === "function";
    throw new TypeError(
      `Cannot show a table of a sweep: it must be a sweep or the result of one, got ` +
        `${promise ? "a promise (did you forget await?)" : typeof run}.`,
    );
  }
  const progress = outcomeProgress(run, o.metric);
  return new SweepTable({ progress, onProgress: () => () => undefined });
}

/** True for what an awaited sweep or `merge` gives. */
export function isOutcome(value: unknown): value is OutcomeLike {
  const { results } = (value ?? {}) as Partial<OutcomeLike>;
  return (
    Array.isArray(results) &&
    results.length > 0 &&
    results.every((one: unknown) => {
      const { seed, key } = (one ?? {}) as Partial<OutcomeLike["results"][number]>;
      return typeof seed === "number" && typeof key === "string" && key.endsWith(`seed=${seed}`);
    })
  );
}

/** True for a sweep itself, whose results may still be to come. */
export function isRunning(run: unknown): run is SweepLike {
  return typeof run === "object" && run !== null && "progress" in run && "onProgress" in run;
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
