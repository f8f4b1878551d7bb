import type { LogRecord } from "../logs/runs";

/** Steps in which all answers of a batch are equally long though they are not cut. */
export interface EvenLengths {
  readonly steps: number;
  /** All steps with lengths whose answers are not cut. */
  readonly of: number;
  /** The different lengths, the shortest first. */
  readonly lengths: readonly number[];
}

/** More cut answers than this, and their common length is the limit. */
const CUT = 0.5;

/** Counts the steps whose shortest answer is as long as the longest: sampled answers of several tasks never are. */
export function evenLengthsOf(records: readonly Omit<LogRecord, "begins">[]): EvenLengths {
  const counted = records.filter(
    ({ lengths, metrics }) => lengths !== undefined && (metrics["tokens/fracTruncated"] ?? 0) <= CUT,
  );
  const even = counted.filter(({ lengths }) => lengths![0] === lengths![1]);
  return {
    steps: even.length,
    of: counted.length,
    lengths: [...new Set(even.map(({ lengths }) => lengths![0]))].sort((a, b) => a - b),
  };
}
