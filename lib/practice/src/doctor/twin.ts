import type { MetricName } from "turnwise/internal/base/glossary";
import { measuredMismatch, twinOf, type RunMoves, type TwinOptions, type TwinReport } from "../twin";
import type { RunView, View } from "./view";

/** The twin of a run, next to what moved in it; a text says why there is none. */
export async function twinOfView(
  { config, run }: Pick<View, "config" | "run">,
  options: TwinOptions,
): Promise<TwinReport | string> {
  if (config === undefined) {
    return "No twin was trained: it needs the configuration, and none was found.";
  }
  try {
    const fellAt = run && fellAtOf(run);
    return await twinOf(config.lint, options, {
      mismatch: run && measuredMismatch(run.records, fellAt ?? Infinity),
      moves: run && movesOf(run),
    });
  } catch (error) {
    // The rest of the page does not depend on it.
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return `No twin was trained. ${error.message}`;
  }
}

const fellAtOf = ({ verdict }: RunView): number | null =>
  verdict.success.kind === "fell" ? (verdict.dip?.onset ?? null) : null;

const movesOf = (run: RunView): RunMoves => ({
  events: run.events,
  fellAt: fellAtOf(run),
  logged: new Set(run.records.flatMap(({ metrics }) => Object.keys(metrics) as MetricName[])),
});
