// Uses internals of turnwise/env, turnwise/rollout.
import assert from "node:assert/strict";
import { createPolicy, createRng, make, type Batch, type RecipeOverrides, createOptimizer } from "turnwise";
import { withMismatch } from "turnwise/internal/rollout/mismatch";
import { sharedVocabulary } from "turnwise/internal/env/index";
import { Learner } from "turnwise/internal/train/learner";
import { minibatches } from "turnwise/internal/train/minibatches";
import { mergeMetrics } from "turnwise/internal/train/records";
import { assertClose } from "../rule/support";
import { row, TurnPolicy, update } from "./scripted";

const ones = (...returns: readonly number[]): number[][] => returns.map((x) => [x]);
const dynamic = (maxGenerations: number): RecipeOverrides => ({
  filter: { kind: "zeroVariance", maxGenerations },
});
const { exp } = Math;

describe("dynamic sampling", () => {
  it("refills until enough groups differ, drops the surplus, and reports all that it sampled", () => {
    const policy = new TurnPolicy([0, 0, 0]);
    // Groups of two. First generation: group 0 is unanimous, 1 differs. Second: 2 and 3 differ, but only one is wanted.
    const { samples, optimizerSteps, metrics } = update({
      episodes: ones(1, 1, 0, 1, 1, 0, 0, 3),
      recipe: row(dynamic(9)),
      policy,
      groups: 2,
    });
    assert.equal(samples, 8);
    assert.equal(optimizerSteps, 1);
    assert.deepEqual(policy.asked.at(-1)!.ids, ["1.0", "1.1", "2.0", "2.1"]);
    // Four trajectories of weight 1/4 and returns 0, 1, 1, 0 at ratio 1: theta_0 rises by 2/4.
    assertClose(policy.parameters, [0.5, 0, 0], 1e-12);
    // 7/8 of reward a trajectory; half of the first generation passed, all of the second. Deviations 0, 1/2; 1/2, 3/2.
    assertClose(
      [
        metrics["reward/mean"]!,
        metrics["filter/fracKept"]!,
        metrics["reward/fracZeroStd"]!,
        metrics["reward/std"]!,
      ],
      [7 / 8, (0.5 + 1) / 2, (0.5 + 0) / 2, (0.25 + 1) / 2],
      1e-12,
    );
  });

  it("samples no second time when the first was enough", () => {
    const policy = new TurnPolicy([0, 0, 0]);
    const { samples } = update({ episodes: ones(0, 1, 1, 0), recipe: row(dynamic(9)), policy, groups: 2 });
    assert.equal(samples, 4);
  });

  it("gives up after maxGenerations and goes on with the groups that it has", () => {
    const policy = new TurnPolicy([0, 0, 0]);
    const { samples, optimizerSteps } = update({
      episodes: ones(1, 1, 0, 2, 0, 0, 1, 1, 3, 3, 4, 4),
      recipe: row(dynamic(3)),
      policy,
      groups: 2,
    });
    assert.deepEqual([samples, optimizerSteps], [12, 1]);
    assert.deepEqual(policy.asked.at(-1)!.ids, ["1.0", "1.1"]);
    // Two trajectories are left, so each weighs 1/2: returns 0 and 2.
    assertClose(policy.parameters, [1, 0, 0], 1e-12);
  });

  it("takes no step when every group is unanimous to the end", () => {
    const policy = new TurnPolicy([0, 0, 0]);
    const { samples, optimizerSteps, metrics } = update({
      episodes: ones(1, 1, 0, 0),
      recipe: row(dynamic(2)),
      policy,
    });
    assert.deepEqual([samples, optimizerSteps], [4, 0]);
    assert.deepEqual([...policy.parameters], [0, 0, 0]);
    assert.equal(metrics["reward/fracZeroStd"], 1);
    assert.equal(metrics["policy/loss"], undefined);
    assert.equal(policy.asked.length, 0);
  });

  it("is not what other filters do: they sample once and train on what is left", () => {
    const policy = new TurnPolicy([0, 0, 0]);
    // Deviations 1/2 and 3/2: the half with the larger one stays.
    const recipe = row({ filter: { kind: "topStd", fraction: 0.5 } });
    const { samples } = update({ episodes: ones(0, 1, 0, 3), recipe, policy, groups: 2 });
    assert.equal(samples, 4);
    assert.deepEqual(policy.asked.at(-1)!.ids, ["1.0", "1.1"]);
    assertClose(policy.parameters, [1.5, 0, 0], 1e-12);
  });

  it("draws the disturbance of the stored log-probs from the update's generator, by generation", () => {
    const policy = new TurnPolicy([-1]);
    const o = { recipe: row(dynamic(2)), policy, maxTurns: 1, logProbNoise: 0.5 };
    const { metrics } = update({ ...o, episodes: ones(1, 1, 0, 1) });
    const second = {
      mask_ntl: Uint8Array.of(1, 1),
      oldLogProb_ntl: Float64Array.of(-1, -1),
    } as unknown as Batch;
    const { oldLogProb_ntl } = withMismatch(second, 0.5, createRng(1).split("mismatch", 1));
    assert.equal(metrics["policy/ratioMax"], exp(-1 - Math.min(...oldLogProb_ntl)));
  });

  it("disturbs the stored log-probs of every generation with other draws", () => {
    const noisy = new TurnPolicy([-1, 0, 0]);
    const { metrics } = update({
      episodes: ones(1, 1, 0, 1),
      recipe: row(dynamic(2)),
      policy: noisy,
      groups: 1,
      logProbNoise: 0.5,
    });
    // Only the second generation is trained on; its ratios are not 1, since its stored log-probs are not -1.
    assert.ok(metrics["policy/ratioMax"]! !== 1 && metrics["policy/ratioMin"]! !== 1);
    const first = new TurnPolicy([-1, 0, 0]);
    const { metrics: other } = update({
      episodes: ones(0, 1),
      recipe: row(dynamic(1)),
      policy: first,
      groups: 1,
      logProbNoise: 0.5,
    });
    assert.notEqual(other["policy/ratioMax"], metrics["policy/ratioMax"]);
  });
});

describe("minibatches()", () => {
  it("deals all rows into parts whose sizes differ by at most one", () => {
    const parts = minibatches([10, 11, 12, 13, 14, 15, 16], 3, createRng(1));
    // Cuts at floor(7/3) = 2 and floor(14/3) = 4.
    assert.deepEqual(
      parts.map((part) => part.length),
      [2, 2, 3],
    );
    assert.deepEqual(parts.flat().sort(), [10, 11, 12, 13, 14, 15, 16]);
    assert.notDeepEqual(parts.flat(), [10, 11, 12, 13, 14, 15, 16], "they are shuffled");
  });

  it("makes no empty part, and leaves the rows in order when there is one part", () => {
    assert.deepEqual(
      minibatches([0, 1], 5, createRng(1)).map((part) => part.length),
      [1, 1],
    );
    const rows = [3, 1, 2, 7, 5, 6, 0, 4];
    assert.deepEqual(minibatches(rows, 1, createRng(1)), [rows]);
  });
});

describe("epochs x minibatches", () => {
  const episodes = ones(0.1, 0.1, 0.1, 0.1);

  it("takes a step on each part, with the weights of the part, shuffled again in each epoch", () => {
    const policy = new TurnPolicy([0, 0, 0]);
    const recipe = row({ update: { epochs: 2, minibatches: 2 } });
    const { optimizerSteps } = update({ episodes, recipe, policy, groupSize: 4 });
    assert.equal(optimizerSteps, 4);
    const parts = policy.asked.map(({ ids }) => ids);
    for (const epoch of [parts.slice(0, 2), parts.slice(2, 4)]) {
      assert.deepEqual(epoch.flat().sort(), ["0.0", "0.1", "0.2", "0.3"]);
      assert.ok(epoch.every((ids) => ids.length === 2));
    }
    assert.notDeepEqual(parts.slice(0, 2), parts.slice(2, 4));
    // Both tokens of a part weigh 1/2 and have return 0.1: theta rises by 0.1 times the ratio, which is exp(theta).
    let theta = 0;
    for (let step = 0; step < 4; step++) theta += 0.1 * exp(theta);
    assertClose(policy.parameters, [theta, 0, 0], 1e-12);
  });

  it("skips a part in which no trajectory takes the turn", () => {
    const policy = new TurnPolicy([0, 0, 0]);
    const recipe = row({ order: "reverse", update: { minibatches: 2 } });
    // One trajectory of two turns and one of one: turn 1 has one part with a token, turn 0 has two.
    const { optimizerSteps } = update({ episodes: [[0, 1], [1]], recipe, policy });
    assert.equal(optimizerSteps, 3);
    // Weight 1 in each part. The turn 1 step moves theta_1 by 1, which carries e to the turn 0 of that trajectory.
    const steps = policy.asked.filter(({ ids }) => ids.length === 1);
    const orders = steps.slice(1).map(({ ids }) => ids[0]);
    const longFirst = orders[0] === "0.0" ? exp(1) + exp(exp(1)) : 1 + exp(1) * exp(1);
    assertClose(policy.parameters, [longFirst, 1, 0], 1e-9);
  });
});

describe("turn after turn", () => {
  it("skips a turn that no trajectory takes", () => {
    const policy = new TurnPolicy([0, 0, 7]);
    const { optimizerSteps, metrics } = update({
      episodes: [
        [0, 1],
        [0, 1],
      ],
      recipe: row({ order: { kind: "reverse", carry: "off" } }),
      policy,
      maxTurns: 3,
    });
    assert.equal(optimizerSteps, 2);
    assert.deepEqual(
      policy.asked.map(({ turns }) => turns),
      [[1], [1], [0], [0]],
    );
    assertClose(policy.parameters, [1, 1, 7], 1e-12);
    assert.equal(metrics["policy/carryMax"], undefined);
  });

  it("goes forward, backward or in one step, as the row says", () => {
    const visited = (order: "simultaneous" | "forward" | "reverse"): unknown => {
      const policy = new TurnPolicy([0, 0]);
      const cell = order === "simultaneous" ? order : { kind: order, carry: "off" as const };
      update({ episodes: [[0, 1], [1]], recipe: row({ order: cell }), policy, maxTurns: 2 });
      return policy.asked.map(({ turns }) => turns.join()).filter((turns, k, all) => turns !== all[k - 1]);
    };
    assert.deepEqual(visited("simultaneous"), ["0,1"]);
    assert.deepEqual(visited("forward"), ["0", "1"]);
    assert.deepEqual(visited("reverse"), ["1", "0"]);
  });

  it("hands the ratio of each updated turn on to the next, where the trajectory took it", () => {
    const policy = new TurnPolicy([0, 0]);
    const recipe = row({ order: { kind: "reverse", carry: { kind: "exact", pooling: "product" } } });
    const { metrics } = update({ episodes: [[0, 1], [1]], recipe, policy, maxTurns: 2 });
    // Turn 1: one token, weight 1/2, advantage 1: theta_1 = 1/2 and M = exp(1/2) for the first trajectory.
    // Turn 0: theta_0 = (M * 1 + 1 * 1) / 2.
    const M = exp(0.5);
    const theta = (M + 1) / 2;
    assertClose(policy.parameters, [theta, 0.5], 1e-12);
    // After turn 1: M and 1. After turn 0: M exp(theta) and exp(theta).
    assertClose([metrics["policy/carryMin"]!, metrics["policy/carryMax"]!], [1, M * exp(theta)], 1e-12);
  });

  it("gives each turn all steps of a batch, or its share of them", () => {
    const taken = (steps: "each" | "shared", episodes: number[][]): readonly [number, number, number] => {
      const policy = new TurnPolicy([0, 0, 0]);
      const { optimizerSteps } = update({
        episodes,
        recipe: row({
          order: { kind: "reverse", carry: "off", steps },
          update: { epochs: 2, minibatches: 2 },
        }),
        policy,
        maxTurns: 3,
      });
      const moved = [...policy.parameters].filter((x) => x !== 0).length;
      return [optimizerSteps, moved, policy.parameters.length];
    };
    const short = [[1], [2], [1], [2]];
    const long = [
      [0, 0, 1],
      [0, 0, 2],
      [0, 0, 1],
      [0, 0, 2],
    ];
    // 2 x 2 steps for each of three turns, or 1, 1 and 2 of them: floors of 4/3, 8/3 and 12/3.
    assert.deepEqual(
      [taken("each", long), taken("shared", long)],
      [
        [12, 3, 3],
        [4, 3, 3],
      ],
    );
    assert.deepEqual(
      [taken("each", short), taken("shared", short)],
      [
        [4, 1, 3],
        [4, 1, 3],
      ],
    );
    // One trajectory reaches the second turn: the minibatches without it take no step, and others are drawn in their place.
    assert.deepEqual(taken("shared", [[0, 1], [2], [1], [2]]), [4, 2, 3]);
  });

  it("hands nothing on where there is one turn alone", () => {
    const { metrics } = update({
      episodes: ones(1, 1),
      recipe: row({ order: "reverse" }),
      policy: new TurnPolicy([0]),
      maxTurns: 1,
    });
    assert.equal(metrics["policy/carryMax"], undefined);
  });

  it("cuts a clipped carry to its bounds", () => {
    const policy = new TurnPolicy([0, 0]);
    const carry = { kind: "clipped", pooling: "product", low: 0.8, high: 1.2 } as const;
    update({
      episodes: [[0, 1], [1]],
      recipe: row({ order: { kind: "reverse", carry } }),
      policy,
      maxTurns: 2,
    });
    assertClose(policy.parameters, [(1.2 + 1) / 2, 0.5], 1e-12);
  });

  it("measures old log-probs again before each turn, if the row says so", () => {
    // Both turns share one parameter, so that the step on turn 1 moves the log-prob of turn 0.
    const ratio = (oldLogProb: "rollout" | "recomputed"): { theta: number; largest: number } => {
      const policy = new TurnPolicy([0, 0], { shared: true });
      const order = { kind: "reverse", oldLogProb, carry: "off" } as const;
      const { metrics } = update({
        episodes: [
          [0, 1],
          [0, 1],
        ],
        recipe: row({ order }),
        policy,
        maxTurns: 2,
      });
      return { theta: policy.parameters[0]!, largest: metrics["policy/ratioMax"]! };
    };
    // Turn 1 moves theta from 0 to 1. Turn 0 then has ratio e against the rollout, and 1 against itself.
    assertClose(Object.values(ratio("rollout")), [1 + exp(1), exp(1)], 1e-12);
    assertClose(Object.values(ratio("recomputed")), [2, 1], 1e-12);
  });

  it("measures them before the turn's first step and not again for its later epochs", () => {
    const policy = new TurnPolicy([0], { shared: true });
    const recipe = row({ order: { oldLogProb: "recomputed" }, update: { epochs: 2 } });
    const { metrics } = update({ episodes: ones(1, 1), recipe, policy, maxTurns: 1 });
    // Two steps of 1 and e: the second has ratio e.
    assertClose([policy.parameters[0]!, metrics["policy/ratioMax"]!], [1 + exp(1), exp(1)], 1e-12);
  });

  it("forgets the disagreement of rollout and trainer when it measures again", () => {
    const largest = (oldLogProb: "rollout" | "recomputed"): number =>
      update({
        episodes: ones(1, 1),
        recipe: row({ order: { oldLogProb } }),
        policy: new TurnPolicy([-1]),
        maxTurns: 1,
        logProbNoise: 1,
      }).metrics["policy/ratioMax"]!;
    assert.notEqual(largest("rollout"), 1);
    assert.equal(largest("recomputed"), 1);
  });
});

describe("one optimizer step", () => {
  it("adds the entropy bonus to the gradient", () => {
    // The entropy of turn t is theta_t here, so its derivative is 1 a token: weight 1/2 x coefficient 3 x two tokens.
    const policy = new TurnPolicy([0]);
    const recipe = row({ regularizer: { entropyCoef: 3 } });
    update({ episodes: ones(0, 0), recipe, policy, maxTurns: 1 });
    assertClose(policy.parameters, [3], 1e-12);
  });

  it("trains the value with valueCoef, and only where the row has a critic", () => {
    // V = 2 before the turn, targets 5 and 7: dV = (2 - 5)/2 + (2 - 7)/2 = -4, times 1/4.
    const policy = new TurnPolicy([0, 2], { value: true });
    const gae = { kind: "gae", level: "turn", valueCoef: 0.25 } as const;
    const { metrics } = update({
      episodes: ones(5, 7),
      recipe: row({ advantage: gae }),
      policy,
      maxTurns: 1,
    });
    // Advantages 3 and 5, each of weight 1/2: theta_0 = 4. Loss (9 + 25) / 2 / 2.
    assertClose(policy.parameters, [4, 3], 1e-12);
    assert.equal(metrics["critic/loss"], 8.5);
    // Var(target) = 1, Var(target - V) = 1.
    assert.equal(metrics["critic/explainedVariance"], 0);
    const other = new TurnPolicy([0, 2], { value: true });
    const { metrics: without } = update({ episodes: ones(5, 7), recipe: row(), policy: other, maxTurns: 1 });
    assertClose(other.parameters, [6, 2], 1e-12);
    assert.equal(without["critic/loss"], undefined);
  });

  it("divides the policy's gradient where clipping asks for it, and leaves the critic's whole", () => {
    const policy = new TurnPolicy([0, 2], { value: true });
    const gae = { kind: "gae", level: "turn", valueCoef: 0.25 } as const;
    update({
      episodes: ones(5, 7),
      recipe: row({
        advantage: gae,
        gate: "clip",
        regularizer: { clippingTriggered: { kind: "gradNorm", floor: 2 } },
      }),
      policy,
      maxTurns: 1,
    });
    // As above theta_0 = 4, divided by the floor of 2 as nothing is clipped; V = 2 + 1 as there.
    assertClose(policy.parameters, [2, 3], 1e-12);
  });

  it("divides the policy's gradient by the norm of what clipping removed, but by no less than the floor", () => {
    const clip = { kind: "clip", clipLow: 0.5, clipHigh: 0.5 } as const;
    const run = (floor: number): { theta: number; C: number; norm: number } => {
      const policy = new TurnPolicy([0]);
      const recipe = row({
        gate: clip,
        regularizer: { clippingTriggered: { kind: "gradNorm", floor }, entropyCoef: 1 },
        update: { epochs: 2 },
      });
      const { metrics } = update({ episodes: ones(2, 2), recipe, policy, maxTurns: 1 });
      return {
        theta: policy.parameters[0]!,
        C: metrics["policy/clippedGradNorm"]!,
        norm: metrics["policy/gradNorm"]!,
      };
    };
    // First epoch: nothing is clipped, C = 0, g = -(2 + 1); divided by a floor of 2, theta = 3/2. Second: the ratio exp(3/2) is
    // clipped, which removes C = 2 exp(3/2) = 8.96 > 2; the entropy's 1 is left, divided by C.
    const C = 2 * exp(1.5);
    const high = run(2);
    assertClose(Object.values(high), [1.5 + 1 / C, C / 2, (1.5 + 1 / C) / 2], 1e-12);
    // A floor of 20 is above C.
    assertClose([run(20).theta], [3 / 20 + (1 + 2 * exp(3 / 20)) / 20], 1e-12);
  });

  it("weighs the triggered KL penalty with the fraction of ratios outside the clip range, each bound for itself", () => {
    const theta = (returns: readonly number[], clipLow: number, clipHigh: number): number => {
      const policy = new TurnPolicy([0]);
      const recipe = row({
        gate: { kind: "clip", clipLow, clipHigh },
        regularizer: { clippingTriggered: { kind: "klPenalty", lambda: 4, estimator: "k2" } },
        update: { epochs: 2 },
      });
      update({ episodes: ones(...returns), recipe, policy, maxTurns: 1 });
      return policy.parameters[0]!;
    };
    // First epoch: theta = 1/2, and the ratio exp(1/2) = 1.65 is beyond 1.1, though not beyond 1.9: clipped, no gradient.
    // All tokens are outside, so the penalty's slope is 4 * 1 * (1/2 - 0).
    assertClose([theta([0.5, 0.5], 0.9, 0.1)], [0.5 - 2], 1e-12);
    // Likewise downwards: exp(-1/2) = 0.61 is below 0.9, though not below 0.1.
    assertClose([theta([-0.5, -0.5], 0.1, 0.9)], [-0.5 + 2], 1e-12);
    // Within both bounds there is no penalty, and theta goes on rising by ratio x return.
    assertClose([theta([0.5, 0.5], 0.1, 0.9)], [0.5 + 0.5 * exp(0.5)], 1e-12);
  });

  it("takes the KL to the frozen reference, not to the policy that sampled", () => {
    const policy = new TurnPolicy([0]);
    const klReference = { coef: 2, estimator: "k2" } as const;
    const { metrics } = update({
      episodes: ones(0, 0),
      recipe: row({ regularizer: { klReference } }),
      policy,
      reference: new TurnPolicy([-3]),
      maxTurns: 1,
    });
    // d = -3 - 0: k2 = 9/2, slope 3, weights sum to 1: theta = -2 * 3.
    assertClose([policy.parameters[0]!, metrics["policy/klReference"]!], [-6, 4.5], 1e-12);
  });

  it("charges the KL to the reference to the reward, if the row says so", () => {
    const policy = new TurnPolicy([0]);
    const recipe = row({ reward: { kl: { coef: 2, estimator: "k2" } } });
    update({ episodes: ones(1, 1), recipe, policy, reference: new TurnPolicy([-3]), maxTurns: 1 });
    // Return 1 - 2 * 9/2 = -8.
    assertClose(policy.parameters, [-8], 1e-12);
  });

  it("refuses a row with a critic when the policy has no value head", () => {
    const recipe = row({ advantage: "gae" });
    assert.throws(() => update({ episodes: ones(1, 1), recipe, policy: new TurnPolicy([0]), maxTurns: 1 }), {
      name: "TypeError",
      message:
        'Cannot train with recipe reinforce: its policy must have a value head, got "turns" without one.',
    });
  });
});

describe("retrieved tokens", () => {
  it("are left out when masked, and trained on like the agent's own when not", () => {
    const run = (retrieved: "masked" | "trained"): { trained: number; sampled: number; twoTurns: number } => {
      const env = sharedVocabulary(make("LookUp-v0"));
      const policy = createPolicy(env.spec, { kind: "mlp", width: 4, window: 12, seed: 1 });
      let trained = 0;
      const { evaluate } = policy;
      policy.evaluate = (batch, ...rest) => {
        trained = batch.mask_ntl.reduce((a, b) => a + b, 0); // of the step, which comes last
        return evaluate.call(policy, batch, ...rest);
      };
      const learner = new Learner({
        env,
        policy,
        recipe: row(),
        optimizer: createOptimizer(row().update.optimizer),
        reference: null,
        groups: 4,
        groupSize: 4,
        temperature: 1,
        logProbNoise: 0,
        observationTokens: retrieved,
      });
      const { metrics } = learner.update(1, createRng(1));
      return {
        trained,
        sampled: 16 * metrics["tokens/mean"]!,
        twoTurns: 16 * (metrics["turns/mean"]! - 1),
      };
    };
    const masked = run("masked");
    assert.ok(masked.twoTurns > 0);
    assert.equal(masked.trained, masked.sampled);
    // An episode has at most two turns, and the answer between them is one token.
    const trained = run("trained");
    assert.equal(trained.sampled, masked.sampled);
    assert.equal(trained.trained, masked.sampled + masked.twoTurns);
  });
});

describe("mergeMetrics()", () => {
  it("keeps the largest Max and the smallest Min, and averages the rest over the steps that have it", () => {
    const merged = mergeMetrics([
      { "policy/ratioMax": 2, "policy/ratioMin": 0.5, "policy/loss": 1 },
      { "policy/ratioMax": 3, "policy/ratioMin": 0.25, "policy/loss": 4, "policy/carryMax": 7 },
      { "policy/ratioMax": 1, "policy/ratioMin": 0.75, "critic/loss": 6 },
    ]);
    assert.deepEqual(merged, {
      "policy/ratioMax": 3,
      "policy/ratioMin": 0.25,
      "policy/loss": 2.5,
      "policy/carryMax": 7,
      "critic/loss": 6,
    });
    assert.deepEqual(mergeMetrics([]), {});
  });
});
