import type { Metrics } from "../base/glossary";
import { mergeObjects } from "../base/mergeObjects";
import type { Played } from "../env/env";
import type { Policy } from "../policy/policy";
import type { Batch } from "../batch/batch";
import { answersOf, withRetrieved } from "../rollout/retrieved";
import {
  advantages,
  carryAfterTurn,
  recipeNeeds,
  shapedReward,
  stepShare,
  tokenWeights,
  trainedTokens,
  turnSchedule,
  type Carry,
} from "../rule";
import { correctionOf } from "../rule/correction";
import { corrected, withBothEngines } from "../rule/correction/corrected";
import { readsReference } from "../rule/loss/tensors";
import type { Rng } from "../base/rng";
import { explainedVariance, valueTarget } from "./critic";
import { evaluateWhole } from "./distributions";
import { EntropyBonus } from "./entropyBonus";
import { gradientSquares } from "./gradientSquares";
import { minibatches } from "./minibatches";
import type { Optimizer } from "./optimizer";
import { mergeMetrics } from "./records";
import { sampleGroups, type Sampling } from "./sampleGroups";
import type { RetrievedTokens } from "./settings";
import { playedOf } from "./played";
import { trajectoriesOf, type Old, type Prepared } from "./prepared";
import { referenceOn } from "./referenceOn";
import { Stepper } from "./step";
import { stepRewarderOf } from "./stepReward";
import type { StepRewarder } from "./stepReward/contract";
import type { UpdateObserver } from "./witness";

export interface LearnerOptions extends Sampling {
  readonly optimizer: Optimizer;
  /** A frozen copy of the policy; null unless the rule has a KL penalty to it. */
  readonly reference: Policy | null;
  /** Default masked. */
  readonly observationTokens?: RetrievedTokens;
  /** Default: a fresh one, where the rule has a step reward. */
  readonly stepRewarder?: StepRewarder | undefined;
  /** Default: a fresh one. */
  readonly bonus?: EntropyBonus;
}

export interface UpdateResult {
  readonly samples: number;
  readonly optimizerSteps: number;
  readonly metrics: Metrics;
  /** Trajectories that were learned from, for an environment that asks for them after each update. */
  readonly played?: readonly Played[];
}

/**
 * One update of any rule: sample, filter, reward steps, compute advantages; then, for each set of turns in the schedule, take
 * epochs x minibatches optimizer steps and carry the ratios over to the next set.
 *
 * Every draw comes from the update's own generator, so an update depends only on the seed, its index and the state that a checkpoint
 * holds.
 *
 * `plain.ts` next to it is the same algorithm as one loop; `test/lib/train/plainTrainer.ts` is that loop with every choice of a rule.
 */
export class Learner {
  readonly #stepper: Stepper;
  readonly #stepRewarder: StepRewarder | undefined;
  /** Whether a custom loss may find values, though the rule needs none. */
  #mayHaveValues: boolean;
  /** Whether the reference policy is evaluated for every batch. */
  #refers: boolean;
  /** Whether a rule leaves tokens out at random. */
  readonly #draws: boolean;
  readonly #bonus: EntropyBonus;

  constructor(private readonly o: LearnerOptions) {
    this.#stepper = new Stepper(o.policy, o.recipe, o.optimizer);
    this.#stepRewarder = o.stepRewarder ?? stepRewarderOf(o.recipe, o.policy);
    this.#mayHaveValues = Boolean(o.recipe.loss);
    this.#refers = recipeNeeds(o.recipe).reference;
    this.#draws = recipeNeeds(o.recipe).draws;
    this.#bonus = o.bonus ?? new EntropyBonus(o.recipe);
  }

  update(index: number, rng: Rng, witness?: UpdateObserver): UpdateResult {
    const { kept, samples, metrics } = sampleGroups(this.o, rng, witness);
    if (!kept) return { samples, optimizerSteps: 0, metrics };
    const learned = this.learn(index, kept, rng, witness);
    return { ...learned, samples, metrics: mergeObjects(metrics, learned.metrics) };
  }

  /** The part of an update that follows sampling: on a batch that has passed the rule's filter. */
  learn(index: number, kept: Batch, rng: Rng, witness?: UpdateObserver): Omit<UpdateResult, "samples"> {
    const { env, policy, observationTokens = "masked" } = this.o;
    const seen =
      observationTokens === "masked" ? kept : withRetrieved(kept, policy, env.spec.vocabulary.length);
    const judged = this.#stepRewarder?.judge({
      batch: seen,
      policy,
      env,
      rng: rng.split("step"),
      rollout: rng.split("rollout"),
    });
    const credited = judged ? { ...seen, step_nt: judged.step_nt } : seen;
    const prepared = this.#prepare(credited, rng.split("rollout"));
    witness?.prepared(prepared.data);
    const steps = this.#updateTurnSets(index, prepared.data, rng, witness);
    if (steps.count > 0) this.#refers = this.#readsReference();
    const paid = this.#bonus.metrics();
    this.#bonus.after(prepared.data);
    return {
      ...(env.afterUpdate && { played: playedOf(kept, prepared.data.refLogProb_ntl) }),
      optimizerSteps: steps.count,
      metrics: mergeObjects(prepared.metrics, judged?.metrics, mergeMetrics(steps.metrics), paid),
    };
  }

  #prepare(sampled: Batch, rollout: Rng): { data: Prepared; metrics: Metrics } {
    const { env, policy, recipe } = this.o;
    const needs = recipeNeeds(recipe);
    const compares = correctionOf(recipe.correction).active;
    const before = needs.distributions.old
      ? evaluateWhole(policy, recipe, sampled)
      : needs.value || this.#mayHaveValues || compares
        ? policy.evaluate(sampled)
        : undefined;
    const trainer_ntl = compares ? before!.logProb_ntl : undefined;
    const batch = withBothEngines(sampled, recipe, trainer_ntl);
    const value_nt = needs.value || this.#mayHaveValues ? before?.value_nt : undefined;
    this.#mayHaveValues &&= value_nt !== undefined;
    if (needs.value && !value_nt) {
      throw new TypeError(
        `Cannot train with recipe ${recipe.name}: its policy must have a value head, got "${policy.name}" without one.`,
      );
    }
    const referred = this.#refers ? referenceOn(batch, this.o, rollout) : undefined;
    const refLogProb_ntl = referred?.logProb_ntl;
    const oldLogProb_ntlv = before?.logProb_ntlv;
    const refLogProb_ntlv = referred?.logProb_ntlv;
    const whole = oldLogProb_ntlv && { oldLogProb_ntlv, ...(refLogProb_ntlv && { refLogProb_ntlv }) };
    const facts = needs.gradients ? { ...whole, gradientSquare_n: gradientSquares(policy, batch) } : whole;
    const { metrics, ...credit } = advantages(batch, recipe, value_nt, refLogProb_ntl, facts);
    const seen = corrected(batch, recipe, trainedTokens(batch, recipe), trainer_ntl);
    const { trained_ntl, correction_ntl } = seen;
    const valueTarget_nt =
      value_nt && valueTarget(batch, recipe, shapedReward(batch, recipe, refLogProb_ntl, whole), value_nt);
    return {
      data: {
        batch: credit.standing_nt ? { ...batch, standing_nt: credit.standing_nt } : batch,
        trained_ntl,
        advantage_ntl: credit.advantage_ntl,
        correction_ntl,
        refLogProb_ntl,
        refLogProb_ntlv,
        oldLogProb_ntlv,
        oldValue_nt: value_nt,
        valueTarget_nt,
        answers:
          recipe.regularizer.observationCoef > 0 ? answersOf(batch, env.spec.vocabulary.length) : undefined,
        weight_ntl:
          recipe.update.minibatches === 1
            ? tokenWeights(batch.shape, trained_ntl, recipe.aggregate)
            : undefined,
      },
      metrics: mergeObjects(
        metrics,
        seen.metrics,
        value_nt &&
          valueTarget_nt && {
            "critic/explainedVariance": explainedVariance(batch, value_nt, valueTarget_nt),
          },
      ),
    };
  }

  /** A custom loss may leave the reference alone, which its first update shows; evaluating it costs a forward pass. */
  #readsReference(): boolean {
    const { recipe } = this.o;
    if (!recipe.loss || recipe.reward.kl !== null) return this.#refers;
    return readsReference(recipe.loss);
  }

  #updateTurnSets(
    index: number,
    data: Prepared,
    rng: Rng,
    witness: UpdateObserver | undefined,
  ): { count: number; metrics: Metrics[] } {
    const { policy, recipe } = this.o;
    const { batch } = data;
    const [, T, L] = batch.shape;
    const metrics: Metrics[] = [];
    let count = 0;
    let carry: Carry = new Map();
    // Trajectories that end before these turns stay in: they count in the loss denominator, as they do when all turns move at once.
    const rows: number[] = [];
    for (let n = 0; n < batch.shape[0]; n++) rows.push(n);
    const schedule = turnSchedule(recipe, T, rng.split("order"));
    const reaching = (turns: readonly number[]): ((n: number) => boolean) => {
      const first = Math.min(...turns);
      return (n) => batch.turnCount_n[n]! > first;
    };
    const there = [...schedule.entries()].filter(([, turns]) => rows.some(reaching(turns)));
    for (const [k, [place, turns]] of there.entries()) {
      const reaches = reaching(turns);
      const { epochs, steps } = stepShare(recipe, k, there.length);
      const before = count;
      const recompute = recipe.order.oldLogProb === "recomputed";
      const again = !recompute
        ? undefined
        : data.oldLogProb_ntlv === undefined
          ? policy.evaluate(batch, undefined, turns)
          : evaluateWhole(policy, recipe, batch, turns);
      const old = {
        oldLogProb_ntl: again?.logProb_ntl ?? batch.oldLogProb_ntl,
        oldLogProb_ntlv: again?.logProb_ntlv ?? data.oldLogProb_ntlv,
      };
      for (let epoch = 0; epoch < epochs && count - before < steps; epoch++) {
        const draws = rng.split("minibatch", place, epoch);
        for (const part of minibatches(rows, recipe.update.minibatches, draws)) {
          if (!part.some(reaches) || count - before === steps) continue;
          const draw_ntl = this.#draws
            ? uniform(rng.split("leftOut", count), part.length * T * L)
            : undefined;
          const step = (): Metrics => this.#step(index, data, part, turns, old, carry, draw_ntl, witness);
          metrics.push(this.#withReference(data, step));
          count++;
        }
      }
      if (schedule.length > 1) {
        const after = carryAfterTurn(recipe, {
          shape: batch.shape,
          trajectoryId: batch.trajectoryId,
          turns,
          mask_ntl: batch.mask_ntl,
          logProb_ntl: policy.evaluate(batch, undefined, turns).logProb_ntl,
          oldLogProb_ntl: old.oldLogProb_ntl,
          carry,
        });
        carry = after.carry;
        metrics.push(after.metrics);
      }
    }
    return { count, metrics };
  }

  /** A loss that asks for the reference only now gets it, and its step is taken again: nothing has moved yet. */
  #withReference(data: Prepared, step: () => Metrics): Metrics {
    try {
      return step();
    } catch (error) {
      if (data.refLogProb_ntl !== undefined || !this.#readsReference()) throw error;
      data.refLogProb_ntl = this.o.reference!.evaluate(data.batch).logProb_ntl;
      return step();
    }
  }

  #step(
    index: number,
    data: Prepared,
    rows: readonly number[],
    turns: readonly number[],
    old: Old,
    carry: Carry,
    draw_ntl: Float64Array | undefined,
    witness: UpdateObserver | undefined,
  ): Metrics {
    // Fields one by one: spreading objects of that many would cost as much as the step of a small table.
    const part = rows.length === data.batch.shape[0] ? undefined : trajectoriesOf({ ...data, ...old }, rows);
    const from = part ?? data;
    return this.#stepper.step({
      batch: from.batch,
      trained_ntl: from.trained_ntl,
      advantage_ntl: from.advantage_ntl,
      correction_ntl: from.correction_ntl,
      refLogProb_ntl: from.refLogProb_ntl,
      refLogProb_ntlv: from.refLogProb_ntlv,
      oldLogProb_ntl: (part ?? old).oldLogProb_ntl,
      oldLogProb_ntlv: (part ?? old).oldLogProb_ntlv,
      oldValue_nt: from.oldValue_nt,
      valueTarget_nt: from.valueTarget_nt,
      answers: from.answers,
      weight_ntl: part ? undefined : data.weight_ntl,
      index,
      turns,
      carry,
      draw_ntl,
      entropyCoef: this.#bonus.paid(),
      witness: witness && ((step) => witness.stepped({ ...step, rows })),
    });
  }
}

const uniform = (rng: Rng, count: number): Float64Array =>
  Float64Array.from({ length: count }, () => rng.next());
