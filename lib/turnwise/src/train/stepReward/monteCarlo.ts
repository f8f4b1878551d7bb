import type { Batch } from "../../batch/batch";
import { contextKey } from "../../policy/policy";
import type { StepInput, StepOutput, StepRewarder } from "./contract";

interface Settings {
  readonly gamma: number;
  readonly memory: number;
}

/** Number of visits, and the sum of their outcomes. */
interface Count {
  n: number;
  sum: number;
}

/**
 * AgentPRM's process reward as a table of counts: the mean outcome of all rollouts through a history and a turn.
 *
 * ```
 * Q(h, a) = sum_i G_i / n(h, a),   V(h) = sum_i G_i / n(h),   s = Q(h, a) - V(h),   G = sum_{k >= t} gamma^{k - t} r_k
 * ```
 * A history is what the policy makes of it. Where trajectories fork, several of them pass the same turn, and each counts.
 *
 * @see AgentPRM, arXiv 2502.10325; scripts/dataproc/compute_prm_target.py:43 in sanjibanc/agent_prm at e471471. Departures: that
 *   code weighs the outcome by gamma^t from the start, so that later turns are discounted more, and regresses a language model to the
 *   table; here the table itself judges, the turn's own rollout included
 */
export class MonteCarloReward implements StepRewarder {
  readonly #turns = new Map<string, Count>();
  readonly #histories = new Map<string, Count>();

  constructor(private readonly o: Settings) {}

  judge({ batch }: StepInput): StepOutput {
    this.#fade();
    const met = turnsOf(batch, this.o.gamma);
    for (const { history, turn, toGo } of met) {
      add(this.#histories, history, toGo);
      add(this.#turns, turn, toGo);
    }
    const [N, T] = batch.shape;
    const step_nt = new Float64Array(N * T);
    let sum = 0;
    for (const { nt, history, turn } of met) {
      step_nt[nt] = this.#mean(this.#turns, turn) - this.#mean(this.#histories, history);
      sum += step_nt[nt]!;
    }
    return {
      step_nt,
      metrics: {
        "stepReward/mean": sum / met.length,
        "stepReward/fracJudged": 1,
        "stepReward/evaluations": 0,
      },
    };
  }

  /** The estimate of Q for a turn after a context of the policy; undefined where nobody took it. */
  q(context: unknown, tokens: readonly number[]): number | undefined {
    const key = turnKey(contextKey(context), tokens);
    return this.#turns.has(key) ? this.#mean(this.#turns, key) : undefined;
  }

  #mean(counts: ReadonlyMap<string, Count>, key: string): number {
    const { n, sum } = counts.get(key)!;
    return sum / n;
  }

  #fade(): void {
    const { memory } = this.o;
    for (const counts of [this.#turns, this.#histories]) {
      if (memory === 0) counts.clear();
      for (const count of counts.values()) {
        count.n *= memory;
        count.sum *= memory;
      }
    }
  }

  state(): Record<"turns" | "histories", [string, number, number][]> {
    const listed = (counts: ReadonlyMap<string, Count>): [string, number, number][] =>
      [...counts].map(([key, { n, sum }]) => [key, n, sum]);
    return { turns: listed(this.#turns), histories: listed(this.#histories) };
  }

  restore(state: unknown): void {
    const { turns, histories } = state as ReturnType<this["state"]>;
    const fill = (counts: Map<string, Count>, list: readonly (readonly [string, number, number])[]): void => {
      counts.clear();
      for (const [key, n, sum] of list) counts.set(key, { n, sum });
    };
    fill(this.#turns, turns);
    fill(this.#histories, histories);
  }
}

function add(counts: Map<string, Count>, key: string, toGo: number): void {
  const count = counts.get(key);
  if (count) {
    count.n++;
    count.sum += toGo;
  } else counts.set(key, { n: 1, sum: toGo });
}

const turnKey = (history: string, tokens: ArrayLike<number>): string =>
  `${history}>${Array.from(tokens).join()}`;

function turnsOf(
  batch: Batch,
  gamma: number,
): { readonly nt: number; readonly history: string; readonly turn: string; readonly toGo: number }[] {
  const [N, T, L] = batch.shape;
  const found = [];
  for (let n = 0; n < N; n++) {
    let toGo = 0;
    for (let t = batch.turnCount_n[n]! - 1; t >= 0; t--) {
      const nt = n * T + t;
      toGo = batch.reward_nt[nt]! + gamma * toGo;
      const cells = Array.from({ length: L }, (_, l) => nt * L + l).filter((i) => batch.mask_ntl[i] === 1);
      const history = contextKey(batch.context_nt[n]![t]);
      const turn = turnKey(
        history,
        cells.map((i) => batch.token_ntl[i]!),
      );
      found.push({ nt, history, turn, toGo });
    }
  }
  return found;
}
