import type { Meaning } from "../contract";
import { tidy, unbounded, UNBOUNDED, type Given } from "../given";
import { engine } from "./names";

/** "low_high", or a number for the upper bound alone. */
function spanOf(text: string | null): readonly [number, number] | undefined {
  const parts = (text ?? "").split("_").map(Number);
  return parts.length === 2 && parts.every((x) => x > 0) ? [parts[0]!, parts[1]!] : undefined;
}

const highOf = (x: number): number | null => (unbounded(x) ? null : x);
const lowOf = (x: number): number => (x <= 1 / UNBOUNDED ? 0 : x);

/** Treatment of tokens whose log-probs differ between trainer and rollout engine. */
export function correctionOf(given: Given): Meaning["correction"] {
  const weight = given.text(engine("rollout_is"));
  const rejected = given.text(engine("rollout_rs"));
  const flags = ["bypass_mode", "rollout_is_batch_normalize"] as const;
  for (const name of flags) {
    if (given.flag(engine(name), false)) {
      const does = name === "bypass_mode" ? "old log-probs are the engine's" : "weights have mean 1";
      given.without.push({ flag: engine(name), does, field: "correction" });
    }
  }
  if (weight !== null) {
    const level = given.word(engine("rollout_is"), ["token", "sequence"], "sequence");
    const of = level === "token" ? "token" : "trajectory";
    if (rejected !== null) {
      const does = "rejects besides it weighs";
      given.without.push({ flag: engine("rollout_rs"), does, field: "correction" });
    }
    const text = given.text(engine("rollout_is_threshold"));
    const span = spanOf(text);
    if (span === undefined) return { kind: "truncate", level: of, high: highOf(Number(text ?? 2)) };
    return {
      kind: "mask",
      level: of,
      low: lowOf(span[0]),
      high: highOf(span[1]),
      oldLogProb: "decoupled",
    };
  }
  if (rejected === null) return "none";
  const threshold = given.text(engine("rollout_rs_threshold"));
  const alone = Number(threshold);
  const span = spanOf(threshold) ?? (alone > 0 ? ([1 / alone, alone] as const) : undefined);
  if (span === undefined || !["token_k1", "seq_mean_k1"].includes(rejected)) {
    const does = `drops by ${rejected} at ${String(threshold)}`;
    given.without.push({ flag: engine("rollout_rs"), does, field: "correction" });
    return "none";
  }
  return {
    kind: "reject",
    level: rejected === "token_k1" ? "token" : "trajectory",
    low: lowOf(tidy(1 / span[1])),
    high: highOf(tidy(1 / span[0])),
    oldLogProb: "decoupled",
  };
}
