import { alarmRules, type AlarmRule } from "turnwise/internal/monitor/index";

const above = (
  name: string,
  signal: AlarmRule["signal"],
  threshold: number,
  meaning: string,
  patience = 3,
): AlarmRule => Object.freeze({ name, signal, direction: "above", threshold, patience, meaning });

const apart = "the rollout engine samples from another policy than the one that learns";

/**
 * The alarms of a log of a real run: those of the monitor, and those of the ways in which large models die. The thresholds of the
 * latter are round figures that no healthy run of the forms that were tried reaches; none was judged on runs whose end is known.
 */
export const logRules: readonly AlarmRule[] = Object.freeze([
  ...alarmRules,
  // Where the glossary begins to worry about mismatch/approxKl.
  above("engines apart", "mismatch", 0.01, apart),
  above("engines apart, by log-probs", "logProbGap", 0.5, apart),
  above("engines apart, by probabilities", "probGap", 0.1, apart),
  above("tools fail", "toolFailures", 0.5, "most tool calls end in an error"),
  above("entropy explosion", "entropyRise", 1, "the agent gets less sure of every token"),
  above("far from the reference", "klReference", 1, "the policy has left the one it started from"),
  above(
    "responses cut off",
    "truncationRise",
    0.3,
    "far more responses end at the limit of their length than before",
  ),
  above("length explosion", "lengthGrowth", 3, "responses are three times as long as 40 steps ago"),
  Object.freeze({
    name: "tools no longer called",
    signal: "toolShare",
    direction: "below",
    threshold: 0.1,
    patience: 3,
    meaning: "the agent has all but stopped to call tools",
  } as const),
]);

/** Alarms of one kind, of which a log needs the metric of one. */
const kinOf = (name: string): string => name.split(",")[0]!;

/** The alarms that no record had a signal for, but for those whose kin had one. */
export function blindOf(blind: readonly string[]): string[] {
  const heard = new Set(
    logRules
      .map(({ name }) => name)
      .filter((name) => !blind.includes(name))
      .map(kinOf),
  );
  return [...new Set(blind.map(kinOf))].filter((name) => !heard.has(name));
}
