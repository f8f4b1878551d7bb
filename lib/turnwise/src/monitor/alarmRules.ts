import type { SignalName, Signals } from "./signals";

/** An alarm goes off when a signal stays beyond a threshold for several updates in a row. */
export interface AlarmRule {
  readonly name: string;
  readonly signal: SignalName;
  readonly direction: "above" | "below";
  readonly threshold: number;
  /** Number of updates in a row. */
  readonly patience: number;
  readonly meaning: string;
}

/** The thresholds that are tried for each alarm, from the most to the least sensitive; at most nine, so that a level is a digit. */
export const thresholdLadders = Object.freeze({
  "std cliff": [0.5, 0.25, 0.1, 0.05, 0.02, 0.01],
  "entropy cliff": [0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002],
  "unearned silence": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
  "gradient spike": [1, 3, 10, 30, 60, 100, 150, 300, 1000],
  "KL burst": [0.03, 0.1, 0.3, 1, 3, 10, 100],
  "ratio extreme": [1, 2, 3, 5, 10, 15, 20],
  "clip fraction": [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5],
  echo: [0.15, 0.2, 0.25, 0.3, 0.4, 0.6, 0.8],
  "information loss": [0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 0.9],
}) satisfies Readonly<Record<string, readonly number[]>>;

export type AlarmName = keyof typeof thresholdLadders;

const rule = (
  name: AlarmName,
  signal: SignalName,
  direction: AlarmRule["direction"],
  threshold: number,
  patience: number,
  meaning: string,
): AlarmRule => Object.freeze({ name, signal, direction, threshold, patience, meaning });

/**
 * The default rules of the monitor.
 *
 * The threshold of "unearned silence" is the one that `calibrate` chooses on seeds 1000 to 1079 of the alarm study with at most
 * 10% false alarms; on seeds 1080 to 1159 it alone foresees falls at such a threshold (notebook 04, section 6). The others
 * are round figures for runs of any size: they tell what happens, not what is coming.
 */
export const alarmRules: readonly AlarmRule[] = Object.freeze([
  rule("std cliff", "stdShare", "below", 0.1, 3, "groups agree on their reward: nothing left to compare"),
  rule("entropy cliff", "entropyShare", "below", 0.1, 3, "the agent is sure of every token"),
  rule("unearned silence", "unearnedSilence", "above", 0.2, 3, "groups agree without having solved the task"),
  rule("gradient spike", "gradZ", "above", 100, 1, "a gradient far beyond those of the window before"),
  rule("KL burst", "kl", "above", 1, 1, "one update moved the policy far from what sampled its batch"),
  rule("ratio extreme", "ratioExtreme", "above", 5, 1, "single tokens changed by orders of magnitude"),
  rule("clip fraction", "clipFraction", "above", 0.3, 3, "most of the batch is too old to learn from"),
  rule("echo", "topShare", "above", 0.4, 3, "one response takes over"),
  rule(
    "information loss",
    "informationLoss",
    "above",
    0.5,
    3,
    "responses say less and less about their task",
  ),
]);

/** Whether a rule's signal is beyond the threshold; false if the record lacks it. */
export function isBeyond(
  rule_: Pick<AlarmRule, "signal" | "direction">,
  threshold: number,
  s: Signals,
): boolean {
  const value = s[rule_.signal];
  if (value === undefined) return false;
  return rule_.direction === "above" ? value > threshold : value < threshold;
}
