import assert from "node:assert/strict";
import { importanceRatio, tf } from "turnwise";
import { assertClose, withoutLeak } from "./support";

describe("importanceRatio", () => {
  // One trajectory, two turns of three tokens. log-ratios: .2 -.1 [tool]   .3 [pad] [pad]
  const shape: [number, number, number] = [1, 2, 3];
  const logProb = [-1, -1, NaN, -1, NaN, 5];
  const oldLogProb = [-1.2, -0.9, 3, -1.3, NaN, NaN];
  const mask = [1, 1, 0, 1, 0, 0];

  const ratio = (
    level: "token" | "turn" | "trajectory",
    pooling: "product" | "geometric" | "arithmetic",
  ): number[] =>
    withoutLeak(() =>
      tf.tidy(() =>
        Array.from(
          importanceRatio(
            tf.tensor3d(logProb, shape),
            tf.tensor3d(oldLogProb, shape),
            tf.tensor3d(mask, shape),
            {
              level,
              pooling,
            },
          ).dataSync(),
        ),
      ),
    );

  it("is exp of the log-ratio at token level, whatever the pooling, and 1 where masked", () => {
    // exp(.2) = 1.2214028, exp(-.1) = .9048374, exp(.3) = 1.3498588
    const expected = [1.2214028, 0.9048374, 1, 1.3498588, 1, 1];
    for (const pooling of ["product", "geometric", "arithmetic"] as const) {
      assertClose(ratio("token", pooling), expected, 1e-6, pooling);
    }
  });

  it("pools the active tokens of a turn", () => {
    // Turn 0: sum .1, mean .05, mean of exps (1.2214028 + .9048374) / 2 = 1.0631201. Turn 1 has one token: .3.
    const turn = (first: number): number[] => [first, first, 1, 1.3498588, 1, 1];
    assertClose(ratio("turn", "product"), turn(1.1051709), 1e-6);
    assertClose(ratio("turn", "geometric"), turn(1.0512711), 1e-6);
    assertClose(ratio("turn", "arithmetic"), turn(1.0631201), 1e-6);
  });

  it("pools the active tokens of a trajectory", () => {
    // Sum .4, mean .4 / 3 = .1333333, mean of exps (1.2214028 + .9048374 + 1.3498588) / 3 = 1.1586997.
    const all = (x: number): number[] => [x, x, 1, x, 1, 1];
    assertClose(ratio("trajectory", "product"), all(1.4918247), 1e-6);
    assertClose(ratio("trajectory", "geometric"), all(1.1426308), 1e-6);
    assertClose(ratio("trajectory", "arithmetic"), all(1.1586997), 1e-6);
  });

  it("limits the exponent to 20 nats, so that no ratio overflows", () => {
    const far = withoutLeak(() =>
      tf.tidy(() => {
        const at = (x: number): tf.Tensor3D => tf.tensor3d([x], [1, 1, 1]);
        const o = { level: "token", pooling: "product" } as const;
        return importanceRatio(at(0), at(-500), at(1), o).dataSync()[0]!;
      }),
    );
    assertClose([far], [Math.exp(20)], 1e-6);
  });

  it("refuses tensors of different shapes", () => {
    tf.tidy(() => {
      const o = { level: "token", pooling: "product" } as const;
      assert.throws(() => importanceRatio(tf.zeros([1, 2, 3]), tf.zeros([1, 2, 3]), tf.zeros([1, 3, 2]), o), {
        name: "TypeError",
        message: "Cannot compute importance ratios: mask_ntl must have shape [1, 2, 3], got [1, 3, 2].",
      });
    });
  });
});
