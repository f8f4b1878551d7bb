import { exp } from "turnwise/internal/base/elementary/exp";
import { log } from "turnwise/internal/base/elementary/log";
import type { Pooling, RatioLevel } from "turnwise/internal/rule/index";

/** Pooling of tokens to a ratio. */
export interface RatioForm {
  readonly name: string;
  readonly level: RatioLevel;
  readonly pooling: Pooling;
}

const form = (name: string, level: RatioLevel, pooling: Pooling): RatioForm =>
  Object.freeze({ name, level, pooling });

/** The seven ratios of the literature. */
export const ratioForms: readonly RatioForm[] = Object.freeze([
  form("token", "token", "product"),
  form("turn, product", "turn", "product"),
  form("turn, geometric", "turn", "geometric"),
  form("turn, arithmetic", "turn", "arithmetic"),
  form("trajectory, product", "trajectory", "product"),
  form("trajectory, geometric", "trajectory", "geometric"),
  form("trajectory, arithmetic", "trajectory", "arithmetic"),
]);

/**
 * The log of the pooled ratio of n tokens with log-ratios d, nats.
 *
 * product: sum d;  geometric: mean d;  arithmetic: log mean exp d
 */
export function pooledLogRatio(d: readonly number[], pooling: Pooling): number {
  const sum = d.reduce((a, b) => a + b, 0);
  if (pooling === "product") return sum;
  if (pooling === "geometric") return sum / d.length;
  const largest = Math.max(...d);
  return largest + log(d.reduce((total, x) => total + exp(x - largest), 0) / d.length);
}
