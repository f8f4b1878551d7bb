/** One row as a step sees it. */
export interface RowBatch {
  /** The present row; differs from `old` if another turn that shares the row was updated before. */
  readonly current: Float64Array;
  /** The row that sampled the batch. */
  readonly old: Float64Array;
  /** Sums of weight x max(A, 0) and weight x min(A, 0), by action. */
  readonly positive: Float64Array;
  readonly negative: Float64Array;
  readonly reach: number;
}
