import { alarmRules, type AlarmRule } from "../../monitor";

/** What a log of a real run can show besides a collapse: trainer and rollout engine drift apart, tools fail. */
export const logRules: readonly AlarmRule[] = Object.freeze([
  ...alarmRules,
  Object.freeze({
    name: "engines apart",
    signal: "mismatch",
    direction: "above",
    // Where the glossary begins to worry about mismatch/approxKl.
    threshold: 0.01,
    patience: 3,
    meaning: "the rollout engine samples from another policy than the one that learns",
  } as const),
  Object.freeze({
    name: "tools fail",
    signal: "toolFailures",
    direction: "above",
    threshold: 0.5,
    patience: 3,
    meaning: "most tool calls end in an error",
  } as const),
]);
