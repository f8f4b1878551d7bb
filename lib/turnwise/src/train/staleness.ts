import type { Policy, PolicyState } from "../policy/policy";

/**
 * The policies of the last updates, for a rollout that is some updates behind: an asynchronous engine, or a replay.
 *
 * The batch of an update is sampled by the policy as it was `staleness` updates ago; in the first updates, by that of the start.
 */
export class StaleSampler {
  readonly #sampler: Policy | undefined;
  /** States before the latest updates, oldest first; at most `staleness` of them. */
  #past: PolicyState[] = [];

  constructor(
    private readonly policy: Policy,
    private readonly staleness: number,
  ) {
    if (staleness > 0) this.#sampler = policy.clone();
  }

  /** Policy that samples the next batch. */
  readonly current = (): Policy => {
    const [oldest] = this.#past;
    if (this.#sampler === undefined || oldest === undefined) return this.policy;
    this.#sampler.restore(oldest);
    return this.#sampler;
  };

  /** To be called before an update; what it returns, after it. */
  before(): () => void {
    if (this.staleness === 0) return () => undefined;
    const state = this.policy.state();
    return () => {
      this.#past = [...this.#past, state].slice(-this.staleness);
    };
  }

  /** State that a checkpoint keeps; none if the rollout is never behind. */
  state(): readonly PolicyState[] | undefined {
    return this.staleness > 0 ? this.#past : undefined;
  }

  restore(past: readonly PolicyState[]): void {
    this.#past = [...past];
  }
}
