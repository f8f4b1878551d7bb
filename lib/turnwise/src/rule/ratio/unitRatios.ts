import { ownRatio, type OwnRatio } from "./custom";
import type { PoolingRule } from "./pooling";
import { beyondLimit, limitedExp } from "./units";

/** Rule that makes one ratio of a unit's tokens: a named pooling, or a function. */
export type UnitRule = PoolingRule | { readonly averaged: boolean; readonly own: OwnRatio };

/** Transformation of the log-ratio of a token before it is pooled. */
export type BeforePooling = (logRatio: number, i: number) => number;

interface LogProbs {
  readonly logProb_ntl: ArrayLike<number>;
  readonly oldLogProb_ntl: ArrayLike<number>;
}

/** The ratios of all units, and what else of a unit the sums ask for. */
export class UnitRatios {
  readonly count: number;
  /** Weight of one token of the unit: 1, or 1 / size for a product; 0 for a unit without active tokens. */
  readonly share: Float64Array;
  /** Derivative of the unit's pooled log-prob in the log-prob of one token. */
  readonly dLogProb: Float64Array;
  readonly limited: Uint8Array;

  constructor(
    private readonly input: LogProbs,
    private readonly active_ntl: ArrayLike<number>,
    private readonly size: number,
    private readonly rule: UnitRule,
    private readonly before: BeforePooling = (logRatio) => logRatio,
  ) {
    this.count = active_ntl.length / size;
    this.share = new Float64Array(this.count);
    this.dLogProb = new Float64Array(this.count);
    this.limited = new Uint8Array(this.count);
  }

  /** Writes ratio, pooled log-prob and d ratio / d logProb of a unit into each of its active tokens. */
  measure(u: number, ratio: Float64Array, pooledLogProb: Float64Array, dRatio: Float64Array): void {
    const { active_ntl, size, rule, before } = this;
    if ("own" in rule) return this.#measureOwn(u, rule, ratio, pooledLogProb, dRatio);
    const { logProb_ntl, oldLogProb_ntl } = this.input;
    const overLogs = rule.over === "logs";
    const start = u * size;
    const end = start + size;
    let sum = 0;
    let logProb = 0;
    let count = 0;
    let limited = false;
    for (let i = start; i < end; i++) {
      if (active_ntl[i] !== 1) continue;
      count += 1;
      logProb += logProb_ntl[i]!;
      const own = logProb_ntl[i]! - oldLogProb_ntl[i]!;
      const difference = before(own, i);
      const kept = difference === own ? 1 : 0;
      if (overLogs) {
        sum += difference;
        dRatio[i] = kept;
        continue;
      }
      const token = limitedExp(difference);
      sum += token;
      limited ||= beyondLimit(difference);
      dRatio[i] = beyondLimit(difference) ? 0 : kept * token;
    }
    if (count === 0) return;
    const divisor = rule.averaged ? count : 1;
    const pooled = sum / divisor;
    if (overLogs) limited = beyondLimit(pooled);
    const value = overLogs ? limitedExp(pooled) : pooled;
    const slope = limited ? 0 : value / divisor;
    logProb /= divisor;
    for (let i = start; i < end; i++) {
      if (active_ntl[i] !== 1) continue;
      ratio[i] = value;
      pooledLogProb[i] = logProb;
      dRatio[i] = overLogs ? dRatio[i]! * slope : dRatio[i]! / divisor;
    }
    this.share[u] = rule.averaged ? 1 : 1 / count;
    this.dLogProb[u] = 1 / divisor;
    this.limited[u] = limited ? 1 : 0;
  }

  #measureOwn(
    u: number,
    { own, averaged }: { readonly own: OwnRatio; readonly averaged: boolean },
    ratio: Float64Array,
    pooledLogProb: Float64Array,
    dRatio: Float64Array,
  ): void {
    const { active_ntl, size, before } = this;
    const { logProb_ntl, oldLogProb_ntl } = this.input;
    const cells: number[] = [];
    for (let i = u * size; i < (u + 1) * size; i++) if (active_ntl[i] === 1) cells.push(i);
    if (cells.length === 0) return;
    const differences = cells.map((i) => logProb_ntl[i]! - oldLogProb_ntl[i]!);
    const pooled = differences.map((difference, l) => before(difference, cells[l]!));
    const found = ownRatio(own, pooled);
    const divisor = averaged ? cells.length : 1;
    const logProb = cells.reduce((sum, i) => sum + logProb_ntl[i]!, 0) / divisor;
    cells.forEach((i, l) => {
      ratio[i] = found.ratio;
      pooledLogProb[i] = logProb;
      dRatio[i] = pooled[l] === differences[l] ? found.slope[l]! : 0;
    });
    this.share[u] = averaged ? 1 : 1 / cells.length;
    this.dLogProb[u] = 1 / divisor;
  }
}
