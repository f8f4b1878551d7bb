import type { StepInput, StepOutput, StepRewarder } from "./contract";

/**
 * Minus the running mean of the returns of the agent that took the turn, as it was before the trajectory.
 *
 * ```
 * s_t = -b_k,   b_k <- decay b_k + (1 - decay) R   after the trajectory, for each agent k that took a turn in it;   b_k = 0 at first
 * ```
 * Trajectories count in the order of the batch. A baseline does not depend on the trajectory that it is subtracted from, so the
 * expected step stays as it is.
 *
 * @see RAE, SPIRAL, arXiv 2506.24119; train_spiral.py:490 in spiral-rl/spiral at a02d0ed;
 *   src/prime_rl/orchestrator/algo/rae.py:39 in PrimeIntellect-ai/prime-rl at 559b447
 */
export class AgentBaseline implements StepRewarder {
  readonly #baselines = new Map<string, number>();

  constructor(private readonly o: { readonly decay: number }) {}

  judge({ batch }: Pick<StepInput, "batch">): StepOutput {
    const [N, T] = batch.shape;
    const step_nt = new Float64Array(N * T);
    let sum = 0;
    let turns = 0;
    for (let n = 0; n < N; n++) {
      const agents = new Set<string>();
      for (let t = 0; t < batch.turnCount_n[n]!; t++) {
        const agent = batch.agentId_nt?.[n]?.[t] ?? "agent";
        agents.add(agent);
        step_nt[n * T + t] = 0 - (this.#baselines.get(agent) ?? 0);
        sum += step_nt[n * T + t]!;
        turns++;
      }
      for (const agent of agents) {
        const before = this.#baselines.get(agent) ?? 0;
        this.#baselines.set(agent, this.o.decay * before + (1 - this.o.decay) * batch.return_n[n]!);
      }
    }
    return {
      step_nt,
      metrics: {
        "stepReward/mean": sum / Math.max(1, turns),
        "stepReward/fracJudged": 1,
        "stepReward/evaluations": 0,
      },
    };
  }

  state(): Record<string, number> {
    return Object.fromEntries(this.#baselines);
  }

  restore(state: unknown): void {
    this.#baselines.clear();
    for (const [agent, baseline] of Object.entries(state as Record<string, number>)) {
      this.#baselines.set(agent, baseline);
    }
  }
}
