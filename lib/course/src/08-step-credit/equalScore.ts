/** Success and share of false steps, window by window of a training run. */
export interface Course {
  readonly scores: readonly number[];
  readonly falseSteps: readonly number[];
}

/** Comparison of two runs at equal scores. */
export interface AtEqualScore {
  /** The highest success that both came to. */
  readonly score: number;
  /** Share of false steps of each run when it first came there. */
  readonly falseSteps: readonly [number, number];
}

/**
 * The share of false steps of two runs at the highest success that both reach, where each of them first reaches it.
 *
 * Between two windows both figures change in a straight line.
 *
 * ```
 * s* = min(max_k s_k(a), max_k s_k(b)),   f(s*) = f_{k-1} + (f_k - f_{k-1}) (s* - s_{k-1}) / (s_k - s_{k-1}),   k = first with s_k >= s*
 * ```
 */
export function atEqualScore(a: Course, b: Course): AtEqualScore {
  const score = Math.min(Math.max(...a.scores), Math.max(...b.scores));
  return { score, falseSteps: [falseAt(a, score), falseAt(b, score)] };
}

function falseAt({ scores, falseSteps }: Course, score: number): number {
  const k = scores.findIndex((s) => s >= score);
  if (k === 0) return falseSteps[0]!;
  const way = (score - scores[k - 1]!) / (scores[k]! - scores[k - 1]!);
  return falseSteps[k - 1]! + way * (falseSteps[k]! - falseSteps[k - 1]!);
}
