import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {
  createRng,
  difference,
  leverEffect,
  leverRecipe,
  make,
  recipe,
  reuseOneBatch,
  storedRuns,
  toolChainPolicy,
  trainSeeds,
  traps,
  walkSpread,
  type RecipeOverrides,
} from "turnwise";
import { root } from "../support/paths.js";
import { claimOf, storedLedger } from "./storedLedger";

const shown = (e: { mean: number; low: number; high: number }, digits: number): string =>
  `${e.mean.toFixed(digits)} [${e.low.toFixed(digits)}, ${e.high.toFixed(digits)}]`;

describe("the ledger of notebook 04", () => {
  const rows = storedLedger("04-off-policy-stability");
  const text = (words: string): string => claimOf(rows, words).measured;
  const has = (words: string, expected: string): void =>
    assert.ok(text(words).includes(expected), `${expected} in: ${text(words)}`);

  it("holds the closed form at 40 tokens", () => {
    const outside = walkSpread(40, 0.1, "product").outside;
    has("The spread of a product", `product ${outside.toFixed(3)}`);
  });

  it("holds what 16 steps on one batch do to ratios, gradient and clipped-out gradient", () => {
    const env = make("ToolChain-v0");
    const row = leverRecipe("vanilla", { ...traps.sane, optimiser: { kind: "sgd", learningRate: 8 } });
    const policy = toolChainPolicy(env.spec, { beta: 3, seed: 0 });
    const { steps } = reuseOneBatch(env, policy, row, { steps: 16, rng: createRng(0).split("reuse") });
    const [first, last] = [steps[0]!, steps.at(-1)!];
    const growth = (name: string): string =>
      (last.spread[name]!.deviation / last.spread["token"]!.deviation).toFixed(2);
    has(
      "The spread of a product",
      `turn product ${growth("turn, product")}, turn geometric ${growth("turn, geometric")}, trajectory product ${growth("trajectory, product")}`,
    );
    has(
      "The gradient that the clip",
      `norm of C from 0 to ${last.clipBiasNorm.toFixed(3)} in 16 steps, gradient from ${first.gradNorm.toFixed(3)} to ${last.gradNorm.toFixed(3)}`,
    );
  });

  it("holds the grain of the ratio under SGD, seed by seed", async () => {
    const runs = async (ratio: RecipeOverrides["ratio"]): Promise<number[]> => {
      const loop = recipe("loop", {
        ...(ratio === undefined ? {} : { ratio }),
        update: { epochs: 4, minibatches: 4, optimiser: { kind: "sgd", learningRate: 8 } },
      });
      const many = await trainSeeds(
        { env: "LookUp-v0", policy: { syntaxPrior: 3 }, recipe: loop, updates: 40 },
        20,
      );
      return many.runs.map((run) => run.reduce((sum, r) => sum + r.metrics["reward/mean"]!, 0) / run.length);
    };
    const gap = difference(await runs("token"), await runs({ level: "trajectory", pooling: "product" }));
    has("Token ratios are better", `sgd: token minus trajectory ${shown(gap, 3)}`);
    assert.ok(gap.low > 0);
  }).timeout(120_000);

  it("holds the effects of levers under mismatch as stored", () => {
    const runs = storedRuns(
      fs.readFileSync(path.join(root, "datasets", "measured", "echo-trap.csv"), "utf8"),
    );
    const all = rows.map((row) => row.measured).join("; ");
    const measured = new Set(
      runs.filter((r) => r.trap === "mismatch" && r.change === "").map((r) => r.lever),
    );
    const named = [
      "turn ratio geometric",
      "turn ratio arithmetic",
      "gradient clip",
      "dual clip 3",
      "GSPO",
    ] as const;
    for (const lever of named.filter((name) => measured.has(name))) {
      const { final, gain } = leverEffect(runs, "mismatch", lever)!;
      const expected = `${lever} ${shown(final, 2)}, gain ${shown(gain, 2)}`;
      assert.ok(all.includes(expected), `${expected} in: ${all}`);
    }
  });
});
