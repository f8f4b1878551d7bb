import type { Checkpoint } from "../checkpoint";

/** Start of a run, as far as its checkpoint does not record it. */
export interface RunStart {
  /** The update of the checkpoint that the run began from; 0 for a new run. */
  readonly from: number;
  /** Null if the run began from a checkpoint. */
  readonly seed: number | null;
  /** The options of the policy, or the name of one that was handed in. */
  readonly policy: unknown;
}

/** A checkpoint as a file holds it. */
export interface KeptCheckpoint {
  readonly checkpoint: Checkpoint;
  /** Start of the run, if `trainInFolder` of this version has written the file. */
  readonly run: RunStart | undefined;
}
