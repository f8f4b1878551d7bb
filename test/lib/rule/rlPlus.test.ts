import assert from "node:assert/strict";
import { createRng, recipe, surrogateGradient, surrogateLoss, tf } from "turnwise";
import { assertClose } from "./support";

const row = recipe("rlPlus", { regularizer: { entropyCoef: 0 }, aggregate: { length: 1 } });

/** Two trajectories of one turn and two tokens; the second one is a demonstration. */
function input(logProb: readonly number[], old: readonly number[], advantage: readonly number[]) {
  return {
    shape: [2, 1, 2] as const,
    logProb_ntl: Float64Array.from(logProb),
    oldLogProb_ntl: Float64Array.from(old),
    mask_ntl: new Uint8Array(4).fill(1),
    advantage_ntl: Float64Array.from(advantage),
    demonstration_n: Uint8Array.from([0, 1]),
  };
}

describe("RL-PLUS", () => {
  it("weighs a demonstration's token by 2 pi / (pi_old + (pi_old + 1) / 2) and (1 - pi)^(1/2)", () => {
    // On policy: r A = .5 / .25 x 3 = 6. Of the demonstration, A = 2 and pi = .75:
    //   pi_old = .5:  2 x .75 / (.5 + .75) = 1.2,   (1 - .75)^(1/2) = .5,  1.2 x .5 x 2 = 1.2
    //   pi_old = .2:  2 x .75 / (.2 + .6) = 1.875,  so 1.875
    const data = input(
      [0.5, 0.5, 0.75, 0.75].map(Math.log),
      [0.25, 0.25, 0.5, 0.2].map(Math.log),
      [3, 3, 2, 2],
    );
    const { loss, dLogProb_ntl } = surrogateGradient(data, row);
    assertClose([loss], [-(6 + 6 + 1.2 + 1.875) / 2], 1e-12);
    // The weight is linear in pi, and (1 - pi)^(1/2) stands behind a stop-gradient: the slope in log pi is the objective.
    assertClose(dLogProb_ntl, [-3, -3, -0.6, -0.9375], 1e-12);
  });

  it("lets a demonstration's token count for less than one of the policy's at the start of a batch, and for nothing once it is certain", () => {
    for (const p of [1e-6, 0.01, 0.3, 0.999, 1]) {
      const { dLogProb_ntl } = surrogateGradient(
        input([0, 0, Math.log(p), 0], [0, 0, Math.log(p), 0], [0, 0, 1, 1]),
        row,
      );
      const expected = ((2 * p) / (1.5 * p + 0.5)) * Math.sqrt(1 - p);
      assertClose([-2 * dLogProb_ntl[2]!], [expected], 1e-12);
      assert.ok(expected < 1);
      assert.ok(Math.abs(dLogProb_ntl[3]!) < 1e-12);
    }
  });

  it("is an unclipped Dr. GRPO where nothing is shown", () => {
    const next = createRng(1);
    const draw = (scale: number): Float64Array =>
      Float64Array.from({ length: 4 }, () => -scale * next.next());
    const data = {
      ...input([], [], []),
      logProb_ntl: draw(2),
      oldLogProb_ntl: draw(2),
      advantage_ntl: draw(1),
    };
    const { demonstration_n: _, ...plain } = data;
    const other = recipe("drGrpo", { gate: "unclipped", aggregate: { length: 1 } });
    assert.deepEqual(surrogateGradient(plain, row).dLogProb_ntl, surrogateGradient(data, other).dLogProb_ntl);
  });

  it("is the same loss on tensors, where demonstration_ntl says which tokens a teacher played", () => {
    const data = input([-0.2, -1.5, -0.7, -2], [-0.4, -1, -1.1, -1.9], [1, -2, 1.5, -0.5]);
    const { loss, dLogProb_ntl } = surrogateGradient(data, row);
    const at = (values: ArrayLike<number>): tf.Tensor3D => tf.tensor3d(Array.from(values), [2, 1, 2]);
    const tensors = {
      oldLogProb_ntl: at(data.oldLogProb_ntl),
      mask_ntl: at(data.mask_ntl),
      advantage_ntl: at(data.advantage_ntl),
      demonstration_ntl: at([0, 0, 1, 1]),
    };
    const { value, grad } = tf.valueAndGrad(
      (x: tf.Tensor) => surrogateLoss({ ...tensors, logProb_ntl: x as tf.Tensor3D }, row).loss,
    )(at(data.logProb_ntl));
    assertClose(value.dataSync(), [loss], 1e-5);
    assertClose(grad.dataSync(), Array.from(dLogProb_ntl), 1e-5);
  });

  it("is refused in a row whose groups are filled by forks", () => {
    assert.throws(() => recipe("rlPlus", { forks: "random" }), {
      name: "RangeError",
      message:
        'Cannot make recipe rlPlus: demonstrations must be 0 with forks.kind "random", which fills a group with branches of the policy\'s own trajectories, got 1.',
    });
  });
});
