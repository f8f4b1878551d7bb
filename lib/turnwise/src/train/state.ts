import { createRng, restoreRng, type Rng } from "../base/rng";
import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import { recipeNeeds } from "../rule";
import type { Checkpoint } from "./checkpoint";
import { computeOf, noteOnCompute } from "./computeKind";
import { rolesOf } from "./distil/teacher";
import { EntropyBonus } from "./entropyBonus";
import { Learner, type UpdateResult } from "./learner";
import { createOptimizer, type Optimizer } from "./optimizer";
import { restoreEnv, type Setup } from "./setUp";
import { StaleSampler } from "./staleness";
import { stepRewarderOf } from "./stepReward";
import type { StepRewarder } from "./stepReward/contract";

/** Everything that updates read and change: made again from what a run is made of, or as its checkpoint left it. */
export class TrainState {
  readonly rng: Rng;
  /** The number of updates made. */
  update = 0;
  samples = 0;
  optimizerSteps = 0;
  /** Said of a run that goes on with another kind of compute than its checkpoint's. */
  readonly note: string | undefined;
  readonly stale: StaleSampler;
  readonly #optimizer: Optimizer;
  readonly #reference: Policy | null;
  readonly #demonstrator: Policy | undefined;
  readonly #stepRewarder: StepRewarder | undefined;
  readonly #bonus: EntropyBonus;

  constructor(private readonly setup: Setup) {
    const { env, policy, recipe, teacher, settings, seed, resume } = setup;
    this.rng = resume ? restoreRng(resume.rng) : createRng(seed).split("train");
    this.#optimizer = createOptimizer(recipe.update.optimizer);
    if (resume) {
      policy.restore(resume.policy);
      this.#optimizer.restore(resume.optimizer);
      this.update = resume.update;
      this.samples = resume.samples;
      this.optimizerSteps = resume.optimizerSteps;
      restoreEnv(env, resume);
      this.note = noteOnCompute(resume.compute, computeOf(policy));
    }
    const roles = rolesOf(recipe);
    const { reference, shown } = recipeNeeds(recipe);
    this.#reference = reference && !shown ? ((roles.grades ? teacher : undefined) ?? policy).clone() : null;
    this.#demonstrator = roles.shows ? teacher?.clone() : undefined;
    this.#stepRewarder = stepRewarderOf(recipe, policy);
    this.stale = new StaleSampler(policy, settings.staleness);
    this.#bonus = new EntropyBonus(recipe);
    if (resume?.demonstrator) this.#demonstrator?.restore(resume.demonstrator);
    if (resume?.reference) this.#reference?.restore(resume.reference);
    if (resume?.stepReward !== undefined) this.#stepRewarder?.restore?.(resume.stepReward);
    if (resume?.past) this.stale.restore(resume.past);
    if (this.#bonus.state) this.#bonus.state = resume?.entropy ?? this.#bonus.state;
  }

  /** A learner of the run's rule in its world, or in a model of it; all of them share this state. */
  learner(world: Env = this.setup.env): Learner {
    const { policy, recipe, settings } = this.setup;
    return new Learner({
      ...settings,
      env: world,
      policy,
      recipe,
      optimizer: this.#optimizer,
      reference: this.#reference,
      demonstrator: this.#demonstrator,
      sampler: this.stale.current,
      stepRewarder: this.#stepRewarder,
      bonus: this.#bonus,
    });
  }

  count({ samples, optimizerSteps }: UpdateResult): void {
    this.samples += samples;
    this.optimizerSteps += optimizerSteps;
  }

  /** Remembers what an update may change before it is counted; the function that comes back undoes it. */
  remember(): () => void {
    const { env, policy } = this.setup;
    const before = policy.snapshot?.() ?? policy.state();
    const optimizer = this.#optimizer.snapshot();
    const envState = env.state?.();
    const stepReward = this.#stepRewarder?.state?.();
    const entropy = this.#bonus.state;
    return () => {
      policy.restore(before);
      this.#optimizer.restore(optimizer);
      if (envState !== undefined) env.restore?.(envState);
      if (stepReward !== undefined) this.#stepRewarder?.restore?.(stepReward);
      this.#bonus.state = entropy;
    };
  }

  /** Everything that the next update depends on, as plain JSON data. */
  checkpoint(): Checkpoint {
    const { env, policy, recipe, settings, teacher } = this.setup;
    const envState = env.state?.();
    const stepReward = this.#stepRewarder?.state?.();
    const entropy = this.#bonus.state;
    const past = this.stale.state();
    return {
      format: "turnwise-checkpoint",
      version: 1,
      env: { id: env.spec.id, options: env.spec.options },
      recipe,
      settings,
      rng: this.rng.state(),
      update: this.update,
      samples: this.samples,
      optimizerSteps: this.optimizerSteps,
      policy: policy.state(),
      compute: computeOf(policy),
      ...(policy.computeKernels && { kernels: policy.computeKernels }),
      reference: this.#reference?.state() ?? null,
      ...(teacher && { teacher: teacher.name }),
      ...(this.#demonstrator && { demonstrator: this.#demonstrator.state() }),
      optimizer: this.#optimizer.state(),
      ...(past !== undefined && { past }),
      ...(envState !== undefined && { envState }),
      ...(stepReward !== undefined && { stepReward }),
      ...(entropy && { entropy }),
    };
  }
}
