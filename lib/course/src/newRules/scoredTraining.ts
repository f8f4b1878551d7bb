import { mean } from "turnwise/internal/base/statistics";
import { NonFiniteError } from "turnwise/internal/train/index";

/** Scores of a training, and how far it came. */
export interface ScoredTraining {
  /** Mean of the scores, of which there are as many as looks: 0 from a number on that is not finite. */
  readonly learned: number;
  /** The last of them. */
  readonly final: number;
  /** Update at which training stopped because a number was not finite, 0 if it did not. */
  readonly failedAt: number;
}

/** Follows a training to its end or to a number that is not finite, and looks at its score after equal parts of the updates. */
export async function scoredTraining<R extends { readonly update: number }>(
  learning: AsyncIterable<R> | Iterable<R>,
  {
    updates,
    looks,
    score,
    each,
    report,
  }: {
    readonly updates: number;
    readonly looks: number;
    readonly score: () => number;
    /** Called with each record, before the score is looked at. */
    readonly each: (record: R) => void;
    readonly report: (fraction: number) => void;
  },
): Promise<ScoredTraining> {
  const scores: number[] = [];
  let last = 0;
  let failed = false;
  try {
    for await (const record of learning) {
      last = record.update;
      each(record);
      if (last % (updates / looks) === 0) scores.push(score());
      report(last / updates);
    }
  } catch (error) {
    if (!(error instanceof NonFiniteError)) throw error;
    failed = true;
  }
  while (scores.length < looks) scores.push(0);
  return { learned: mean(scores), final: scores.at(-1)!, failedAt: failed ? last + 1 : 0 };
}
