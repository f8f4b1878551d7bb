import assert from "node:assert/strict";
import { recipe, train, type Metrics, type Recipe, type TrainOptions } from "turnwise";
import { assertClose } from "../rule/support";

async function metricsOf(row: Recipe, o: Partial<TrainOptions> = {}): Promise<Metrics[]> {
  const found: Metrics[] = [];
  for await (const { metrics } of train({ env: "LookUp-v0", recipe: row, updates: 4, seed: 1, ...o })) {
    found.push(metrics);
  }
  return found;
}

const corrections = [
  { kind: "truncate", level: "token" },
  { kind: "truncate", level: "trajectory", high: null },
  { kind: "mask", level: "turn" },
  { kind: "mask", oldLogProb: "bypass" },
  { kind: "reject" },
] as const;

describe("training with a correction", () => {
  it("is training without one where rollout engine and trainer agree", async () => {
    const plain = await metricsOf(recipe("grpo"));
    for (const correction of corrections) {
      const corrected = await metricsOf(recipe("grpo", { correction }));
      for (const [k, { "policy/loss": loss, "reward/mean": reward }] of plain.entries()) {
        assertClose([corrected[k]!["policy/loss"]!], [loss!], 1e-9, correction.kind);
        assert.equal(corrected[k]!["reward/mean"], reward);
        assertClose([corrected[k]!["mismatch/kl"]!], [0], 1e-12);
        assertClose([corrected[k]!["mismatch/effectiveSampleSize"]!], [1], 1e-12);
        assert.equal(corrected[k]!["mismatch/fracMasked"], 0);
      }
    }
  });

  it("says how far the engines are apart, and what was cut away", async () => {
    const noisy = { logProbNoise: 0.3 };
    const [truncated] = await metricsOf(
      recipe("grpo", { correction: { kind: "truncate", high: 1.2 } }),
      noisy,
    );
    assert.ok(truncated!["mismatch/fracTruncated"]! > 0);
    assert.equal(truncated!["mismatch/fracMasked"], 0);
    assert.ok(truncated!["mismatch/effectiveSampleSize"]! < 1);
    const [masked] = await metricsOf(recipe("grpo", { correction: "mask" }), { ...noisy, logProbNoise: 1 });
    assert.ok(masked!["mismatch/fracMasked"]! > 0);
    assert.equal(masked!["mismatch/fracTruncated"], 0);
    // Both see the same noise of the same update: what is measured comes before what is done.
    const [rejected] = await metricsOf(recipe("grpo", { correction: "reject" }), noisy);
    for (const name of ["mismatch/kl", "mismatch/approxKl", "mismatch/ratioMax"] as const) {
      assert.equal(rejected![name], truncated![name]);
    }
  });

  it("compares the present policy with the trainer's old one, unless the row bypasses that", async () => {
    const noisy = { logProbNoise: 0.5, updates: 1 };
    const one = { update: { epochs: 1, minibatches: 1 } } as const;
    const ratioMax = async (correction: object): Promise<number> =>
      (await metricsOf(recipe("grpo", { correction, ...one }), noisy))[0]!["policy/ratioMax"]!;
    // At the first step, the policy is the trainer's old one: ratio 1. In bypass, the noise is in the ratio.
    assertClose([await ratioMax({ kind: "mask" })], [1], 1e-12);
    assert.ok((await ratioMax({ kind: "mask", oldLogProb: "bypass" })) > 1.1);
    assert.ok((await ratioMax({ kind: "none" })) > 1.1);
  });

  it("goes on when all of a batch was rejected: only what is no objective moves the policy then", async () => {
    const [metrics] = await metricsOf(recipe("grpo", { correction: "reject" }), {
      logProbNoise: 3,
      updates: 1,
    });
    assert.equal(metrics!["mismatch/fracMasked"], 1);
    assert.equal(metrics!["policy/gradNorm"], 0);
  });
});
