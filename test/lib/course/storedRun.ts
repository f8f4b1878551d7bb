import type { StoredRun } from "turnwise-course/echo-trap";

/** A stored run in which nothing happened, with the given cells. */
export function storedRun(cells: Partial<StoredRun>): StoredRun {
  return {
    part: "traps",
    trap: "reuse",
    lever: "vanilla",
    change: "",
    seed: 0,
    final: 1,
    peak: 1,
    collapsed: false,
    stdCliff: null,
    entropyCliff: null,
    fall: null,
    onset: null,
    burst: null,
    spike: null,
    silence: null,
    windows: 0,
    burstWindows: 0,
    spikeWindows: 0,
    maxGradNorm: 1,
    turns: 4,
    entropy: 0.1,
    topShare: 0.5,
    fracZeroStd: 0,
    samples: 64,
    optimizerSteps: 4,
    stoppedAt: null,
    ...cells,
  };
}

/** Forty runs of a cell that end alike: both halves of the seeds say the same. */
export function fortyRuns(cells: Partial<StoredRun>): StoredRun[] {
  return Array.from({ length: 40 }, (_, seed) => storedRun({ seed, ...cells }));
}
