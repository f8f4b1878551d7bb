import assert from "node:assert/strict";
import { recipe, surrogateGradient, surrogateLoss, tf, type Recipe } from "turnwise";
import { assertClose } from "./support";

const shape = [1, 1, 2] as const;
interface Edge {
  readonly advantage: number;
  readonly correction?: readonly number[];
  readonly rollout?: number;
}

/** Slopes of two tokens that have moved by .1 nats where they must, in numbers and on tensors. */
function slopes(row: Recipe, { advantage, correction, rollout }: Edge, moved = 0): Float64Array {
  const input = {
    shape,
    logProb_ntl: [-1, -2],
    oldLogProb_ntl: [-1 - moved, -2 - moved],
    mask_ntl: [1, 1],
    advantage_ntl: [advantage, advantage],
    ...(correction && { correction_ntl: correction }),
    ...(rollout !== undefined && { rolloutLogProb_ntl: [-1 + rollout, -2 + rollout] }),
  };
  const { dLogProb_ntl } = surrogateGradient(input, row);
  const { shape: _, ...arrays } = input;
  const tensors = Object.fromEntries(
    Object.entries(arrays).map(([name, x]) => [name, tf.tensor3d(x.map(Number), [...shape])]),
  ) as unknown as Parameters<typeof surrogateLoss>[0];
  const onTensors = tf.grad(
    (x: tf.Tensor) => surrogateLoss({ ...tensors, logProb_ntl: x as tf.Tensor3D }, row).loss,
  )(tensors.logProb_ntl);
  assertClose(onTensors.dataSync(), dLogProb_ntl, 1e-6, "on tensors");
  tf.dispose([onTensors, ...Object.values(tensors as object)] as tf.Tensor[]);
  return dLogProb_ntl;
}

describe("rules that measure from the engine that sampled", () => {
  it("vespo folds a correction's weights into W, as TRL does, and multiplies nothing by them", () => {
    // W = 1 * .5 * .8 = .4 where the policy has not moved. A = 1: W^2 e^(3 (1 - W)) = .16 e^1.8; A = -1: W^3 e^(2 * .6) = .064 e^1.2.
    for (const [advantage, weight] of [
      [1, 0.16 * Math.exp(1.8)],
      [-1, 0.064 * Math.exp(1.2)],
    ] as const) {
      const plain = slopes(recipe("vespo"), { advantage });
      const expected = plain.map((x) => weight * x);
      const folded = slopes(recipe("vespo", { correction: { kind: "truncate", level: "token" } }), {
        advantage,
        correction: [0.5, 0.8],
      });
      assertClose(folded, expected, 1e-12);
    }
  });

  it("a weight that a trajectory's tokens share enters W once", () => {
    const row = recipe("vespo", { correction: { kind: "truncate", level: "trajectory" } });
    const expected = slopes(recipe("vespo"), { advantage: 1 }).map((x) => 0.16 * Math.exp(1.8) * x);
    assertClose(slopes(row, { advantage: 1, correction: [0.4, 0.4] }), expected, 1e-12);
  });

  it("a token whose weight is 0 adds ln 1e-8 to log W", () => {
    const row = recipe("vespo", { correction: { kind: "mask", level: "token" } });
    const W = 1e-8;
    const expected = slopes(recipe("vespo"), { advantage: 1 }).map((x) => W * W * Math.exp(3 * (1 - W)) * x);
    assertClose(slopes(row, { advantage: 1, correction: [0, 1] }), expected, 1e-18);
  });

  /** Two trajectories of two turns, the first of which is rejected; what stands in masked cells is `planted`. */
  const wide = [2, 2, 3] as const;
  const mask_ntl = [1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0];
  const bothForms = (row: Recipe, planted: number): readonly (readonly number[])[] => {
    const cells = (of: (i: number) => number): number[] =>
      mask_ntl.map((m, i) => (m === 1 ? of(i) : planted));
    const blocks = {
      logProb_ntl: cells((i) => -0.3 - i / 10),
      oldLogProb_ntl: cells((i) => -0.35 - i / 10),
      advantage_ntl: cells((i) => (i < 6 ? 1 : -1)),
      correction_ntl: cells((i) => (i < 6 ? 0 : 0.5)),
    };
    const { dLogProb_ntl } = surrogateGradient({ shape: wide, mask_ntl, ...blocks }, row);
    const tensors = Object.fromEntries(
      Object.entries({ ...blocks, mask_ntl }).map(([name, x]) => [name, tf.tensor3d(x, [...wide])]),
    ) as unknown as Parameters<typeof surrogateLoss>[0];
    const onTensors = tf.grad(
      (x: tf.Tensor) => surrogateLoss({ ...tensors, logProb_ntl: x as tf.Tensor3D }, row).loss,
    )(tensors.logProb_ntl);
    const found = [[...dLogProb_ntl], [...onTensors.dataSync()]];
    tf.dispose([onTensors, ...Object.values(tensors as object)] as tf.Tensor[]);
    return found;
  };
  const levels = ["token", "turn", "trajectory"] as const;
  const folding = levels.flatMap((level) =>
    levels.flatMap((ratio) =>
      (ratio === "token" ? ["product" as const] : (["geometric", "product", "arithmetic"] as const)).map(
        (pooling) =>
          recipe("vespo", {
            correction: { kind: "mask", level },
            ratio: ratio === "token" ? { level: ratio } : { level: ratio, pooling },
          }),
      ),
    ),
  );

  it("a weight of 0 leaves a token out, whoever shares it and whichever tokens share a ratio", () => {
    // W <= 1e-8 e^.15, as three tokens moved by .05 nats; A = 1 weighs it by W^2 e^3 < 3e-15, were it not divided by the tokens.
    for (const row of folding) {
      for (const slopes of bothForms(row, 0)) {
        for (const slope of slopes.slice(0, 6))
          assert.ok(Math.abs(slope) < 3e-15, JSON.stringify([row.ratio, row.correction, slopes]));
        assert.ok(Math.abs(slopes[6]!) > 1e-3, "the other trajectory is trained");
      }
    }
  });

  it("what stands in masked cells does not enter a folded weight, in numbers or on tensors", () => {
    for (const row of folding) {
      const expected = bothForms(row, 0);
      for (const planted of [NaN, -Infinity, 1e6])
        assert.deepEqual(bothForms(row, planted), expected, String(planted));
    }
  });

  it("offPolicyMask measures the distance of a bad trajectory from the rollout engine, as TRL and its paper do", () => {
    const row = recipe("grpo", {
      gate: { kind: "offPolicyMask", delta: 0.5 },
      regularizer: { klReference: null },
    });
    const [bad, good] = [{ advantage: -1 }, { advantage: 1 }];
    // From the old policy the mean of log(old / new) is -.1: it counts.
    assert.notDeepEqual([...slopes(row, bad, 0.1)], [0, 0]);
    // From the sampler it is .8, above delta: a bad outcome teaches nothing, a good one does.
    assert.deepEqual([...slopes(row, { ...bad, rollout: 0.8 }, 0.1)].map(Math.abs), [0, 0]);
    assert.notDeepEqual([...slopes(row, { ...good, rollout: 0.8 }, 0.1)], [0, 0]);
    assert.notDeepEqual([...slopes(row, { ...bad, rollout: 0.4 }, 0.1)], [0, 0]);
  });
});
