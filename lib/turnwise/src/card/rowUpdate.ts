import { hypot } from "../base/elementary/hypot";
import type { Rng } from "../base/rng";
import type { Batch } from "../batch/batch";
import { forEachTurn } from "../batch/cells";
import { selectTrajectories } from "../batch/select";
import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import { filterGroups, type Recipe } from "../rule";
import { filterOf } from "../rule/filter";
import { Learner } from "../train/learner";
import { createOptimizer, dense, type Optimizer } from "../train/optimizer";
import { placeOf } from "./trajectories";

/** Setup in which a rule's update is measured: the policy as the trainer has it, and the other inputs of the trainer. */
export interface Bench {
  readonly env: Env;
  /** With a critic: see `withCritic`. Its parameters are set to `parameters` before every update. */
  readonly policy: Policy;
  readonly parameters: Float64Array;
  /** Other policy of a divergence, or the one that plays what the policy reads. */
  readonly reference: Policy;
}

/** Update that a rule computes from a batch. */
export interface RowUpdate {
  /** Uphill: minus the gradient that the optimizer would get of the whole batch; turn sets are added up. */
  readonly direction: Float64Array;
  /** Parameters after the rule's whole update, all steps and reuse, moved by exactly the given length; null if nothing moved. */
  readonly equalStep: Float64Array | null;
  /** Parameters after one update with the rule's own optimizer, fresh. */
  readonly ownStep: Float64Array;
}

/** A gradient of this length is the rounding of a sum of 0. */
const ROUND_OFF = 1e-10;

/** Batch that the rule's filter keeps, or null. */
export function kept(batch: Batch, rule: Recipe): Batch | null {
  const { keep_n } = filterGroups(batch, rule);
  const rows = [...keep_n.keys()].filter((n) => keep_n[n] === 1);
  if (rows.length === 0) return null;
  return rows.length === batch.shape[0] ? batch : selectTrajectories(batch, rows);
}

/** Whether the trainer samples again until something is kept, so that batches of which nothing is kept do not count. */
export function samplesAgain({ filter }: Recipe): boolean {
  return filterOf(filter).generations(filter) > 1;
}

/**
 * The gradient of a rule on a batch, and where its update leads.
 *
 * @param length of the equal step, as the L2 norm of the change of parameters
 */
export function rowUpdate(bench: Bench, rule: Recipe, batch: Batch, length: number, rng: Rng): RowUpdate {
  const total = new Float64Array(bench.parameters.length);
  const whole = { ...rule, update: { ...rule.update, epochs: 1, minibatches: 1 } };
  learn(bench, whole, batch, recorder(total), rng);
  const norm = hypot(...total);
  const direction = total.map((x) => (norm > ROUND_OFF ? 0 - x : 0));
  if (norm <= ROUND_OFF) return { direction, equalStep: null, ownStep: own(bench, rule, batch, rng) };
  const { epochs, minibatches } = rule.update;
  // Steps of minibatches that nearly cancel would be far longer than the whole: none may exceed the length.
  const maxGradNorm = norm * epochs * minibatches;
  const sgd = createOptimizer({ kind: "sgd", learningRate: length / maxGradNorm, maxGradNorm });
  const moved = learn(bench, rule, batch, sgd, rng);
  return {
    direction,
    equalStep: atLength(bench.parameters, moved, length),
    ownStep: own(bench, rule, batch, rng),
  };
}

function own(bench: Bench, rule: Recipe, batch: Batch, rng: Rng): Float64Array {
  return learn(bench, rule, batch, createOptimizer(rule.update.optimizer), rng);
}

/** Takes one update from the bench's parameters and returns where it ends. */
function learn(bench: Bench, recipe: Recipe, batch: Batch, optimizer: Optimizer, rng: Rng): Float64Array {
  const { env, policy, parameters, reference } = bench;
  policy.parameters.set(parameters);
  const learner = new Learner({
    env,
    policy,
    recipe,
    optimizer,
    reference,
    demonstrator: reference,
    groups: 1,
    groupSize: 1,
    temperature: 1,
    logProbNoise: 0,
  });
  learner.learn(0, batch, rng);
  const end = policy.parameters.slice(0, parameters.length);
  policy.parameters.set(parameters);
  return end;
}

/** An optimizer that adds gradients up and never moves. */
function recorder(total: Float64Array): Optimizer {
  const state = { kind: "sgd", steps: 0, slots: [] } as const;
  return {
    step(_, given, norm = 0) {
      const { values, width, blocks } = dense(given);
      for (const from of blocks) for (let i = from; i < from + width; i++) total[i]! += values[i]!;
      return norm;
    },
    state: () => state,
    snapshot: () => state,
    restore: () => undefined,
  };
}

/** `to`, moved along the ray from `from` until their distance is `length`; null if they are the same. */
function atLength(from: Float64Array, to: Float64Array, length: number): Float64Array | null {
  const change = to.map((x, i) => x - from[i]!);
  const norm = hypot(...change);
  return norm === 0 ? null : change.map((x, i) => from[i]! + (length / norm) * x);
}

/**
 * The policy with a critic that knows the value of every context.
 *
 * Rules with a critic are judged apart from how their critic learns: its gradient is left out.
 */
export function withCritic(policy: Policy, values: ReadonlyMap<string, number>): Policy {
  return {
    name: policy.name,
    get parameters() {
      return policy.parameters;
    },
    contextOf: (history) => policy.contextOf(history),
    sample: (...given) => policy.sample(...given),
    evaluate(...given) {
      const [batch, rows, turns] = given;
      const [N, T] = batch.shape;
      const value_nt = new Float64Array(N * T);
      forEachTurn(batch, rows, turns, (n, t) => {
        value_nt[n * T + t] = values.get(placeOf(batch, n, t)) ?? 0;
      });
      // The same object, as a policy may know its last evaluation again.
      return Object.assign(policy.evaluate(...given), { value_nt });
    },
    backward: (...given) => policy.backward(...given),
    ...(policy.sparseBackward && { sparseBackward: policy.sparseBackward.bind(policy) }),
    nextTokenLogProb: (...given) => policy.nextTokenLogProb(...given),
    clone: () => policy.clone(),
    state: () => policy.state(),
    restore: (state) => {
      policy.restore(state);
    },
  };
}
