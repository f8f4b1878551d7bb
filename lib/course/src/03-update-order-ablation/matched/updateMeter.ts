import type { Batch } from "turnwise/internal/batch/batch";
import { stepsTaken } from "turnwise/internal/batch/stepsTaken";
import { exp } from "turnwise/internal/base/elementary/exp";
import type { Policy } from "turnwise/internal/policy/index";
import type { UpdateObserver } from "turnwise/internal/train/witness";

/** Updates whose KL counts as that of the beginning. */
const FIRST = 20;

/** After these, the KL of every tenth update is measured. */
const EVERY = 10;

/** Counts what the updates of a run take: turns played, passes over each token, and the KL that the policy moves. */
export class UpdateMeter implements UpdateObserver {
  #update = 1;
  #turns = 0;
  #written = 0;
  #used = 0;
  /** Tokens of each turn of the batch that is learned from, [N, T]. */
  #tokens_nt: Int32Array = new Int32Array(0);
  #T = 1;
  #before: { readonly batch: Batch; readonly logProb_ntlv: Float64Array } | undefined;
  readonly #first: number[] = [];
  readonly #later: number[] = [];

  constructor(private readonly policy: Policy) {}

  sampled(batch: Batch): void {
    this.#count(batch);
    const due = this.#update <= FIRST || this.#update % EVERY === 0;
    this.#before = due ? { batch, logProb_ntlv: this.#distributions(batch) } : undefined;
  }

  prepared({ batch }: Parameters<UpdateObserver["prepared"]>[0]): void {
    const [N, T] = batch.shape;
    // Siblings are sampled between the steps of an update.
    if (batch.fork_n) this.#count(batch);
    this.#T = T;
    this.#tokens_nt = tokensOf(batch, N * T);
  }

  stepped({ rows, turns }: Parameters<UpdateObserver["stepped"]>[0]): void {
    for (const n of rows) for (const t of turns) this.#used += this.#tokens_nt[n * this.#T + t]!;
  }

  /** Measures how far the policy has moved since the batch was sampled. */
  updated(): void {
    if (this.#before) {
      const { batch, logProb_ntlv } = this.#before;
      const kl = divergence(batch, logProb_ntlv, this.#distributions(batch));
      if (this.#update <= FIRST) this.#first.push(kl);
      if (this.#update % EVERY === 0) this.#later.push(kl);
    }
    this.#update++;
  }

  totals(): {
    readonly turns: number;
    readonly passes: number;
    readonly klFirst: number;
    readonly kl: number;
  } {
    return {
      turns: this.#turns,
      passes: this.#used / Math.max(1, this.#written),
      klFirst: mean(this.#first),
      kl: mean(this.#later),
    };
  }

  #count(batch: Batch): void {
    const [N, T] = batch.shape;
    this.#turns += stepsTaken(batch);
    const tokens_nt = tokensOf(batch, N * T);
    for (let n = 0; n < N; n++)
      for (let t = batch.fork_n?.[n]?.turn ?? 0; t < T; t++) this.#written += tokens_nt[n * T + t]!;
  }

  #distributions(batch: Batch): Float64Array {
    return this.policy.evaluate(batch, undefined, undefined, undefined, { distributions: true })
      .logProb_ntlv!;
  }
}

function tokensOf({ shape: [, , L], mask_ntl }: Batch, turns: number): Int32Array {
  const tokens_nt = new Int32Array(turns);
  for (let i = 0; i < turns; i++) for (let l = 0; l < L; l++) tokens_nt[i]! += mask_ntl[i * L + l]!;
  return tokens_nt;
}

/** KL(before || after), summed over the tokens of an episode, mean over episodes. */
function divergence({ shape: [N], mask_ntl }: Batch, before: Float64Array, after: Float64Array): number {
  const V = before.length / mask_ntl.length;
  let sum = 0;
  for (let i = 0; i < mask_ntl.length; i++) {
    if (mask_ntl[i] !== 1) continue;
    for (let v = i * V; v < (i + 1) * V; v++) {
      const p = exp(before[v]!);
      if (p > 0) sum += p * (before[v]! - after[v]!);
    }
  }
  // What a file of results can hold.
  return Math.min(sum / N, Number.MAX_VALUE);
}

/** 0 for a run that failed before anything was measured. */
const mean = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
