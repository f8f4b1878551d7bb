import type { Metrics } from "../../base/glossary";
import type { Batch } from "../../batch/batch";
import type { TurnInfo } from "../../env/env";

/** Verdict of the world's verifier of single steps on each turn, flat [N, T]; undefined if it gives none at all. */
export function verdictsOf(batch: Batch): readonly (1 | -1 | 0 | undefined)[] {
  const [N, T] = batch.shape;
  return Array.from({ length: N * T }, (_, nt) => {
    const info: TurnInfo | undefined = batch.info_nt?.[Math.floor(nt / T)]?.[nt % T];
    return info?.verdict;
  });
}

/** The metrics that every step reward has; `judged` counts turns with something said of them. */
export function described(batch: Batch, step_nt: Float64Array, judged: number): Metrics {
  const turns = batch.turnCount_n.reduce((a, b) => a + b, 0);
  return {
    "stepReward/fracJudged": judged / turns,
    "stepReward/evaluations": 0,
    ...(judged > 0 && { "stepReward/mean": step_nt.reduce((a, b) => a + b, 0) / judged }),
  };
}
