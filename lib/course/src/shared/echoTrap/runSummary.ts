/** Events before a run fell, and in stretches of it after which it did not fall. Updates count from 1. */
export interface AroundTheFall {
  /** First update at which the mean success of 10 updates is below 75% of its highest so far, once that was above .6. */
  readonly fall: number | null;
  /** First of the 10 updates up to the fall whose success is below 75% of that highest mean. */
  readonly onset: number | null;
  /** Last update before the onset, or of a run without a fall, whose KL exceeds .5 nats per token after the entropy cliff. */
  readonly burst: number | null;
  /** Likewise: whose gradient norm exceeds three times its mean over the 20 updates before. */
  readonly spike: number | null;
  /** Updates with a gradient norm below 1e-6 among the 20 before the burst. */
  readonly silence: number | null;
  /**
   * Control windows: stretches of 10 updates after the entropy cliff, once the mean of 10 was above .6, that end at least 10
   * updates before the onset of a fall, or before the end of a run without one.
   */
  readonly windows: number;
  /** Control windows with a burst. */
  readonly burstWindows: number;
  /** Control windows with a spike. */
  readonly spikeWindows: number;
}

/** One run in numbers. Updates count from 1; null where an event did not happen. */
export interface RunSummary extends AroundTheFall {
  /** Mean success of the last 20 updates. Of a run that stopped: of its last good policy, over as many episodes. */
  readonly final: number;
  /** Largest mean success of 10 consecutive updates. */
  readonly peak: number;
  /** The run rose above .6 and ended below 75% of its peak. */
  readonly collapsed: boolean;
  /** First update at which in-group std is below .05. */
  readonly stdCliff: number | null;
  /** First update at which entropy is below 25% of the first update's. */
  readonly entropyCliff: number | null;
  readonly maxGradNorm: number;
  /** Means of the last 20 updates. */
  readonly turns: number;
  readonly entropy: number;
  readonly topShare: number;
  readonly fracZeroStd: number;
  readonly samples: number;
  readonly optimizerSteps: number;
  /** The update at which training stopped on a loss or gradient that is not finite; null if it did not. */
  readonly stoppedAt: number | null;
}
