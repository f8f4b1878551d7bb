import type { StepInput, StepOutput } from "./contract";
import { described, verdictsOf } from "./verdicts";

/**
 * The verdict of the world's verifier on each turn, reversed with the given probability.
 *
 * @see FSPO, arXiv 2505.24630; verl/workers/fsdp_workers.py:1035 in nusnlp/FSPO at 7f5e4f9, where a model judges each sentence
 */
export function factual({ batch, rng }: StepInput, error: number): StepOutput {
  let judged = 0;
  const step_nt = Float64Array.from(verdictsOf(batch), (verdict, nt) => {
    if (verdict === undefined || verdict === 0) return 0;
    judged++;
    return error > 0 && rng.split("verdict", nt).next() < error ? 0 - verdict : verdict;
  });
  return { step_nt, metrics: described(batch, step_nt, judged) };
}
