import { exp } from "../../base/elementary/exp";
import { log1p } from "../../base/elementary/log1p";
import type { Batch } from "../../batch/batch";
import { positionsByKey } from "../../base/statistics";
import type { Policy, PolicyState } from "../../policy/policy";
import { createOptimizer, type Optimizer, type OptimizerState } from "../optimizer";
import type { StepInput, StepOutput, StepRewarder } from "./contract";

interface Settings {
  readonly beta: number;
  readonly pooling: "mean" | "sum";
  readonly learningRate: number;
}

/** The preference loss of a batch, and its derivative in each log-prob of the second policy. */
export interface Preference {
  readonly loss: number;
  /** Pairs of a better and a worse trajectory of one group. */
  readonly pairs: number;
  /** Share of the pairs in which the better one has the larger Q; a tie counts half. */
  readonly accuracy: number;
  readonly dLogProb_ntl: Float64Array;
}

/**
 * Trajectory DPO over all pairs of a group whose returns differ.
 *
 * ```
 * s_t = beta sum_{l in t} (log pi_phi - log pi_old),   Q(tau) = mean_t s_t or sum_t s_t
 * L   = mean over pairs of -log sigma(Q(better) - Q(worse))
 * ```
 *
 * @see iStar, arXiv 2509.19199; istar/rm_utils.py:43 in Tongyi-ConvAI/Qwen-Character at 1de87a2, where better means a score above 0
 *   and worse one of at most 0
 */
export function preference(batch: Batch, logProb_ntl: ArrayLike<number>, o: Settings): Preference {
  const [N, T] = batch.shape;
  const step_nt = stepRewards(batch, logProb_ntl, o.beta);
  const share = (n: number): number => (o.pooling === "mean" ? 1 / batch.turnCount_n[n]! : 1);
  const q = Float64Array.from({ length: N }, (_, n) => {
    let sum = 0;
    for (let t = 0; t < batch.turnCount_n[n]!; t++) sum += step_nt[n * T + t]!;
    return share(n) * sum;
  });
  const dq = new Float64Array(N);
  let loss = 0;
  let pairs = 0;
  let right = 0;
  for (const [, members] of positionsByKey(batch.groupId)) {
    for (const better of members) {
      for (const worse of members) {
        if (batch.return_n[better]! <= batch.return_n[worse]!) continue;
        const margin = q[better]! - q[worse]!;
        const push = 1 / (1 + exp(margin));
        loss += margin > 0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
        dq[better]! -= push;
        dq[worse]! += push;
        right += margin > 0 ? 1 : margin === 0 ? 0.5 : 0;
        pairs++;
      }
    }
  }
  const width = batch.mask_ntl.length / N;
  const dLogProb_ntl = new Float64Array(batch.mask_ntl.length);
  for (let i = 0; i < dLogProb_ntl.length && pairs > 0; i++) {
    if (batch.mask_ntl[i] !== 1) continue;
    const n = Math.floor(i / width);
    dLogProb_ntl[i] = (o.beta * share(n) * dq[n]!) / pairs;
  }
  return {
    loss: pairs === 0 ? 0 : loss / pairs,
    pairs,
    accuracy: pairs === 0 ? 0 : right / pairs,
    dLogProb_ntl,
  };
}

/** beta times the log-ratio of the second policy to the one that sampled, summed over each turn, flat [N, T]. */
export function stepRewards(batch: Batch, logProb_ntl: ArrayLike<number>, beta: number): Float64Array {
  const [N, T, L] = batch.shape;
  const step_nt = new Float64Array(N * T);
  for (let i = 0; i < batch.mask_ntl.length; i++) {
    if (batch.mask_ntl[i] !== 1) continue;
    step_nt[Math.floor(i / L)]! += beta * (logProb_ntl[i]! - batch.oldLogProb_ntl[i]!);
  }
  return step_nt;
}

/**
 * iStar's second policy: it starts as a copy of the policy, judges each batch, and then learns from its pairs.
 *
 * A batch is judged by what was learned from the batches before it, as in the released code (`update=after`).
 */
export class ImplicitReward implements StepRewarder {
  readonly #judge: Policy;
  readonly #optimizer: Optimizer;

  constructor(
    policy: Policy,
    private readonly o: Settings,
  ) {
    this.#judge = policy.clone();
    this.#optimizer = createOptimizer({ kind: "adam", learningRate: o.learningRate, maxGradNorm: 10 });
  }

  judge({ batch }: StepInput): StepOutput {
    const evaluation = this.#judge.evaluate(batch);
    const step_nt = stepRewards(batch, evaluation.logProb_ntl, this.o.beta);
    const { dLogProb_ntl, pairs, loss, accuracy } = preference(batch, evaluation.logProb_ntl, this.o);
    if (pairs > 0) {
      const gradient = this.#judge.backward(batch, { dLogProb_ntl }, undefined, undefined, evaluation);
      this.#optimizer.step(this.#judge.parameters, gradient);
    }
    const turns = batch.turnCount_n.reduce((a, b) => a + b, 0);
    return {
      step_nt,
      metrics: {
        "stepReward/mean": step_nt.reduce((a, b) => a + b, 0) / turns,
        "stepReward/fracJudged": 1,
        "stepReward/evaluations": turns / batch.shape[0],
        ...(pairs > 0 && { "stepReward/preferenceLoss": loss, "stepReward/preferenceAccuracy": accuracy }),
      },
    };
  }

  state(): { policy: PolicyState; optimizer: OptimizerState } {
    return { policy: this.#judge.state(), optimizer: this.#optimizer.state() };
  }

  restore(state: unknown): void {
    const { policy, optimizer } = state as ReturnType<this["state"]>;
    this.#judge.restore(policy);
    this.#optimizer.restore(optimizer);
  }
}
