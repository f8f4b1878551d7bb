// Uses internals of turnwise/rule.
import assert from "node:assert/strict";
import { advantages, recipe, surrogateGradient, train, type Batch } from "turnwise";
import { renewedAdvantage } from "turnwise/internal/rule/index";
import { assertClose, batchOf, raggedInput } from "./support";

const tpo = recipe("tpo");

/** Trajectories of one token with these log-probs. */
const sampled = (
  return_n: readonly number[],
  logProb: readonly number[],
  groupId?: readonly string[],
): Batch => ({
  ...batchOf({ groupId: groupId ?? return_n.map(() => "a"), return_n }),
  oldLogProb_ntl: Float64Array.from(logProb),
});

const credited = (batch: Batch, rule = tpo): Float64Array => advantages(batch, rule).advantage_ntl;

describe("an advantage from the share of a trajectory to its target (TPO)", () => {
  it("moves shares by the exponentials of standardized returns", () => {
    // Returns 1 and 0: u = 1 and -1. p = 1/2 each, q = e / (e + 1/e): 2 (q - p) = tanh 1.
    assertClose(credited(sampled([1, 0], [-2, -2])), [Math.tanh(1), -Math.tanh(1)], 1e-12);
    // p = 3/4 and 1/4: q = 3e / (3e + 1/e).
    const q = (3 * Math.E) / (3 * Math.E + 1 / Math.E);
    assertClose(
      credited(sampled([1, 0], [-1, -1 - Math.log(3)])),
      [2 * (q - 3 / 4), -2 * (q - 3 / 4)],
      1e-12,
    );
    // Three of them: u = 2 / sqrt 2, -1 / sqrt 2 twice, whatever the unit of reward.
    const [a, b] = [Math.exp(Math.SQRT2), Math.exp(-Math.SQRT1_2)];
    const three = [3 * (a / (a + 2 * b) - 1 / 3), 3 * (b / (a + 2 * b) - 1 / 3)];
    assertClose(credited(sampled([300, 0, 0], [-1, -1, -1])), [three[0]!, three[1]!, three[1]!], 1e-12);
  });

  it("sharpens the target with a low temperature, and takes returns as they are without a scale", () => {
    const sharp = recipe("tpo", { advantage: { eta: 0.5 } });
    assertClose(credited(sampled([1, 0], [0, 0]), sharp), [Math.tanh(2), -Math.tanh(2)], 1e-12);
    const plain = recipe("tpo", { scale: "none" });
    assertClose(credited(sampled([1, 0], [0, 0]), plain), [Math.tanh(0.5), -Math.tanh(0.5)], 1e-12);
  });

  it("sums log-probs over all tokens of a trajectory, compares within groups, and learns nothing from equal returns", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [2, 1], tokens: 2 });
    // Log-probs -1: -4 against -2, p = 1 / (1 + e^2).
    const p = 1 / (1 + Math.exp(2));
    const q = (p * Math.E) / (p * Math.E + (1 - p) / Math.E);
    const A = 2 * (q - p);
    assertClose(credited(batch), [A, A, A, A, -A, -A, 0, 0], 1e-12);
    const groups = sampled([1, 0, 1, 1], [-1, -1, -1, -3], ["a", "a", "b", "b"]);
    assertClose(credited(groups), [Math.tanh(1), -Math.tanh(1), 0, 0], 1e-12);
  });

  it("is renewed at every step, and vanishes where the policy meets the target", () => {
    const batch = sampled([1, 0], [-1, -2]);
    const before = credited(batch);
    assertClose(renewedAdvantage(tpo, batch, before, batch.oldLogProb_ntl), before, 1e-15);
    // log q_i = log p_i + u_i + const.
    assertClose(renewedAdvantage(tpo, batch, before, [0, -3]), [0, 0], 1e-12);
    // Beyond it, the sign turns: shares 1 / (1 + e^-5).
    const beyond = renewedAdvantage(tpo, batch, before, [1, -4]);
    assert.ok(beyond[0]! < 0 && Math.abs(beyond[0]! + beyond[1]!) < 1e-12);
    const grpo = recipe("grpo");
    assert.equal(renewedAdvantage(grpo, batch, before, [0, -3]), before);
  });

  it("has the gradient of the cross-entropy to the target, by finite differences", () => {
    const input = raggedInput(7, [6, 3, 2]);
    const { shape, mask_ntl } = input;
    const width = shape[1] * shape[2];
    const base = batchOf({
      groupId: ["a", "a", "a", "b", "b", "b"],
      return_n: [1, 0, 2, 0, 0, 1],
      turnCount: [3, 3, 3, 3, 3, 3],
      tokens: 2,
    });
    const batch: Batch = { ...base, mask_ntl, oldLogProb_ntl: Float64Array.from(input.oldLogProb_ntl) };
    const shares = (logProb_ntl: ArrayLike<number>, more: readonly number[] = []): number[] => {
      const logs = base.return_n.length;
      const all = Array.from({ length: logs }, (_, n) => {
        let sum = more[n] ?? 0;
        for (let i = n * width; i < (n + 1) * width; i++) if (mask_ntl[i] === 1) sum += logProb_ntl[i]!;
        return Math.exp(sum);
      });
      return all.map((x, n) => x / all.slice(n < 3 ? 0 : 3, n < 3 ? 3 : 6).reduce((a, b) => a + b, 0));
    };
    // Returns 1, 0, 2: deviation sqrt(2/3). 0, 0, 1: mean 1/3, deviation sqrt(2)/3.
    const u = [0, -1, 1].map((x) => x / Math.sqrt(2 / 3)).concat([-1, -1, 2].map((x) => x / Math.SQRT2));
    const q = shares(input.oldLogProb_ntl, u);
    const crossEntropy = (logProb_ntl: ArrayLike<number>): number =>
      shares(logProb_ntl).reduce((sum, p, n) => sum - (q[n]! * Math.log(p)) / 2, 0);
    const advantage_ntl = renewedAdvantage(tpo, batch, credited(batch), input.logProb_ntl);
    const { dLogProb_ntl } = surrogateGradient({ ...input, advantage_ntl }, tpo);
    const h = 1e-5;
    const numeric = input.logProb_ntl.map((_, i) => {
      const at = (step: number): number =>
        crossEntropy(input.logProb_ntl.map((x, j) => (i === j ? x + step : x)));
      return (at(h) - at(-h)) / (2 * h);
    });
    assertClose(dLogProb_ntl, numeric, 1e-8);
  });

  it("refuses minibatches and turn-by-turn orders, in which a step does not see its group", () => {
    const why = 'with advantage.kind "target", which compares all turns of a group again at every step';
    assert.throws(() => recipe("tpo", { update: { minibatches: 2 } }), {
      name: "RangeError",
      message: `Cannot make recipe tpo: update.minibatches must be 1 ${why}, got 2.`,
    });
    assert.throws(() => recipe("tpo", { order: "forward" }), {
      name: "RangeError",
      message: `Cannot make recipe tpo: order.kind must be "simultaneous" ${why}, got "forward".`,
    });
  });

  it("stops at the target: with many epochs of a batch, the gradient dies away", async () => {
    const many = recipe("tpo", { update: { epochs: 400, optimizer: { kind: "sgd", learningRate: 2 } } });
    const norms: number[] = [];
    for await (const { metrics } of train({
      env: "KeyDoor-v0",
      recipe: many,
      groups: 1,
      groupSize: 4,
      updates: 1,
      seed: 5,
    })) {
      norms.push(metrics["policy/gradNorm"]!, metrics["policy/gradNorm"]!);
    }
    // The mean over 400 steps is far below the first, which one epoch has.
    const one = recipe("tpo", { update: { epochs: 1, optimizer: { kind: "sgd", learningRate: 2 } } });
    for await (const { metrics } of train({
      env: "KeyDoor-v0",
      recipe: one,
      groups: 1,
      groupSize: 4,
      updates: 1,
      seed: 5,
    })) {
      assert.ok(
        norms[0]! < metrics["policy/gradNorm"]! / 4,
        `${norms[0]} after ${metrics["policy/gradNorm"]}`,
      );
    }
  });
});
