import type { Batch } from "../batch/batch";
import { selectBlocks, selectTrajectories } from "../batch/select";

/** Values computed once per batch, before the first optimizer step. */
export interface Prepared {
  readonly batch: Batch;
  /** The tokens of the batch that are part of the loss. */
  readonly trained_ntl: Uint8Array;
  readonly advantage_ntl: Float64Array;
  /** Weights of the rule's correction; undefined where each token counts fully. */
  readonly correction_ntl: Float64Array | undefined;
  refLogProb_ntl: Float64Array | undefined;
  readonly refLogProb_ntlv: Float64Array | undefined;
  /** Of the policy before the update; undefined where nothing asks for it, or where it is recomputed for each set of turns. */
  readonly oldLogProb_ntlv: Float64Array | undefined;
  readonly oldValue_nt: Float64Array | undefined;
  readonly valueTarget_nt: Float64Array | undefined;
  /** Answers of the environment, for a rule that learns to predict them; undefined where the policy cannot. */
  readonly answers: Batch | undefined;
  /** `tokenWeights` of the whole batch; undefined where each minibatch has its own. */
  readonly weight_ntl: Float64Array | undefined;
}

/** Log-probs that the present policy's steps are compared with: the rollout's, or those recomputed for a set of turns. */
export interface Old {
  readonly oldLogProb_ntl: Float64Array;
  readonly oldLogProb_ntlv: Float64Array | undefined;
}

/** A minibatch: the given rows of what was prepared, with token weights of its own. */
export function trajectoriesOf(
  data: Prepared & Old,
  rows: readonly number[],
): Omit<Prepared & Old, "weight_ntl"> {
  const [N] = data.batch.shape;
  const perRow = (values: Float64Array): Float64Array => selectBlocks(values, rows, values.length / N);
  const ifThere = (values: Float64Array | undefined): Float64Array | undefined => values && perRow(values);
  return {
    batch: selectTrajectories(data.batch, rows),
    trained_ntl: selectBlocks(data.trained_ntl, rows, data.trained_ntl.length / N),
    advantage_ntl: perRow(data.advantage_ntl),
    correction_ntl: ifThere(data.correction_ntl),
    oldLogProb_ntl: perRow(data.oldLogProb_ntl),
    refLogProb_ntl: ifThere(data.refLogProb_ntl),
    oldLogProb_ntlv: ifThere(data.oldLogProb_ntlv),
    refLogProb_ntlv: ifThere(data.refLogProb_ntlv),
    oldValue_nt: ifThere(data.oldValue_nt),
    valueTarget_nt: ifThere(data.valueTarget_nt),
    answers: data.answers && selectTrajectories(data.answers, rows),
  };
}
