import { log } from "../base/elementary/log";
import type { MetricName, Metrics } from "../base/glossary";
import { expectWhole } from "../base/expect";
import { median } from "../base/statistics";
import { DriftTracker, type Drift } from "./drift";

/** Fields of a record that the monitor needs; a training record has them. */
export interface MonitorRecord {
  readonly update: number;
  readonly metrics: Readonly<Metrics>;
  /** The metrics that were logged as NaN or infinite, by the names that they have in the log; absent if all are finite. */
  readonly notFinite?: Readonly<Record<string, number>>;
  /** The metrics that are finite here and were NaN or infinite in a record before, by the same names; absent if there are none. */
  readonly finiteAgain?: readonly string[];
}

/** Comparison of an update with the run so far; undefined if the record lacks the metric. */
export interface Signals extends Drift {
  readonly update: number;
  /** success/mean if there is one, else reward/mean divided by `optimum`. */
  readonly success: number | undefined;
  /** Success, divided by its highest value so far. */
  readonly successShare: number | undefined;
  /** The std of rewards within groups, divided by its highest value so far. */
  readonly stdShare: number | undefined;
  readonly fracZeroStd: number | undefined;
  /**
   * fracZeroStd - success: the share of groups that agree without having solved their task. Undefined from the first reward on
   * that is no share of the optimum, below 0 or above it: nothing tells then what solved means.
   */
  readonly unearnedSilence: number | undefined;
  /** Nats per token. */
  readonly tokenEntropy: number | undefined;
  /** Nats per turn: token entropy x tokens per turn. */
  readonly turnEntropy: number | undefined;
  /** Token entropy, divided by its highest value so far. */
  readonly entropyShare: number | undefined;
  readonly distinct: number | undefined;
  readonly topShare: number | undefined;
  /** 1 - I(task; response) / (its highest value so far). */
  readonly informationLoss: number | undefined;
  readonly gradNorm: number | undefined;
  /** Robust z-score of the gradient norm among those of the window before it; see `robustZ`. */
  readonly gradZ: number | undefined;
  /** Largest |log ratio|, nats. */
  readonly ratioExtreme: number | undefined;
  readonly clipFraction: number | undefined;
  readonly clipBiasNorm: number | undefined;
  readonly kl: number | undefined;
  /** Nats per token between rollout engine and trainer: mismatch/approxKl, else the absolute value of mismatch/kl. */
  readonly mismatch: number | undefined;
  /** Updates. */
  readonly staleness: number | undefined;
  readonly turns: number | undefined;
  /** Share of tool calls that end in an error. */
  readonly toolFailures: number | undefined;
}

export type SignalName = Exclude<keyof Signals, "update">;

export interface SignalOptions {
  /** Number of updates with which the next gradient norm is compared. Default 50. */
  readonly window?: number;
  /** Number of updates at the start, when everything moves, without z-scores and alarms. Default 10. */
  readonly warmUp?: number;
  /** The best reward/mean, where records have no success/mean. Default 1. */
  readonly optimum?: number;
  /**
   * Whether gradients of 0, those of steps without anything to learn, stay out of the window that the next one is compared with,
   * as long as a fifth of it is above 0. Default false: they count, as they did where the alarms were judged.
   */
  readonly skipZeroGradients?: boolean;
}

/** The share of gradients above 0 that tells what gradients are like. */
const ENOUGH = 0.2;

/** Turns records into signals, one after the other. Metrics that are missing or not finite are skipped. */
export class SignalTracker {
  readonly warmUp: number;
  readonly #window: number;
  readonly #optimum: number;
  readonly #skipZeroGradients: boolean;
  readonly #drift = new DriftTracker();
  readonly #gradients: number[] = [];
  readonly #highest = new Map<MetricName, number>();
  #highestSuccess = 0;
  #isShare = true;

  constructor({ window = 50, warmUp = 10, optimum = 1, skipZeroGradients = false }: SignalOptions = {}) {
    for (const [name, value, low] of [
      ["window", window, 1],
      ["warmUp", warmUp, 0],
    ] as const) {
      expectWhole("monitor", name, value, low);
    }
    if (!(optimum > 0 && Number.isFinite(optimum))) {
      throw new RangeError(`Cannot monitor: optimum must be > 0 and finite, got ${optimum}.`);
    }
    this.warmUp = warmUp;
    this.#window = window;
    this.#optimum = optimum;
    this.#skipZeroGradients = skipZeroGradients;
  }

  /** Whether every success so far was a share of the optimum, from 0 to 1. */
  get isShare(): boolean {
    return this.#isShare;
  }

  next({ update, metrics }: MonitorRecord): Signals {
    const read = (name: MetricName): number | undefined => {
      const value: unknown = metrics[name];
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    };
    const share = (name: MetricName): number | undefined => {
      const value = read(name);
      if (value === undefined) return undefined;
      this.#highest.set(name, Math.max(this.#highest.get(name) ?? 0, value));
      return over(value, this.#highest.get(name));
    };
    const success = read("success/mean") ?? over(read("reward/mean"), this.#optimum);
    this.#highestSuccess = Math.max(this.#highestSuccess, success ?? 0);
    // Means of rewards of 0 and 1 differ from them in their last digits.
    this.#isShare &&= success === undefined || (success > -1e-9 && success < 1 + 1e-9);
    const fracZeroStd = read("reward/fracZeroStd");
    const entropy = read("policy/entropy");
    const gradNorm = read("policy/gradNorm");
    const gradZ = this.#gradientScore(gradNorm);
    const informationShare = share("response/mutualInformation");
    const low = read("policy/clipFracLow");
    const high = read("policy/clipFracHigh");
    const bothBounds = low === undefined && high === undefined ? undefined : (low ?? 0) + (high ?? 0);
    const turns = read("turns/mean");
    const tokensPerTurn = turns === undefined ? undefined : over(read("tokens/mean"), turns);
    return {
      update,
      success,
      successShare: over(success, this.#highestSuccess),
      stdShare: share("reward/std"),
      fracZeroStd,
      unearnedSilence:
        fracZeroStd === undefined || success === undefined || !this.#isShare
          ? undefined
          : fracZeroStd - success,
      tokenEntropy: entropy,
      turnEntropy: entropy === undefined || tokensPerTurn === undefined ? undefined : entropy * tokensPerTurn,
      entropyShare: share("policy/entropy"),
      distinct: read("response/distinct"),
      topShare: read("response/topShare"),
      informationLoss: informationShare === undefined ? undefined : 1 - informationShare,
      gradNorm,
      gradZ,
      ratioExtreme: largestLogRatio(read("policy/ratioMin"), read("policy/ratioMax")),
      clipFraction: bothBounds ?? read("policy/clipFrac"),
      clipBiasNorm: read("policy/clippedGradNorm"),
      kl: read("policy/approxKl"),
      mismatch: read("mismatch/approxKl") ?? absolute(read("mismatch/kl")),
      staleness: read("staleness/mean"),
      turns,
      toolFailures: read("tools/failed"),
      ...this.#drift.next(read),
    };
  }

  #gradientScore(norm: number | undefined): number | undefined {
    if (norm === undefined) return undefined;
    // In a small batch, most steps have nothing to learn: the median would be 0, and every other gradient a spike.
    const moved = this.#skipZeroGradients ? this.#gradients.filter((one) => one > 0) : [];
    const before =
      moved.length >= ENOUGH * this.#gradients.length && moved.length > 0 ? moved : [...this.#gradients];
    this.#gradients.push(norm);
    if (this.#gradients.length > this.#window) this.#gradients.shift();
    const highest = this.#highest.get("policy/gradNorm") ?? 0;
    this.#highest.set("policy/gradNorm", Math.max(highest, norm));
    return before.length < Math.max(1, Math.min(this.warmUp, this.#window))
      ? undefined
      : robustZ(norm, before, 1e-3 * highest);
  }
}

/**
 * Number of robust standard deviations by which a value exceeds the values before it.
 *
 * ```
 * z = (x - median) / max(1.4826 MAD, |median| / 10, floor)
 * ```
 * While nothing is learned, median and MAD are 0, and any gradient would be infinitely many deviations away: the floor and a
 * tenth of the median bound that. Returns 0 if x is the median and the denominator is 0.
 *
 * @throws {RangeError} if there is no value before it
 */
export function robustZ(x: number, before: readonly number[], floor = 0): number {
  if (before.length === 0) {
    throw new RangeError("Cannot compute a z-score: there must be values before it, got 0.");
  }
  const middle = median(before);
  const deviation = 1.4826 * median(before.map((value) => Math.abs(value - middle)));
  const scale = Math.max(deviation, Math.abs(middle) / 10, floor);
  return x === middle ? 0 : (x - middle) / scale;
}

const absolute = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.abs(value);

function over(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined || by === 0 ? undefined : value / by;
}

function largestLogRatio(smallest: number | undefined, largest: number | undefined): number | undefined {
  const sides = [smallest, largest].flatMap((ratio) =>
    ratio !== undefined && ratio > 0 ? [Math.abs(log(ratio))] : [],
  );
  return sides.length === 0 ? undefined : Math.max(...sides);
}
