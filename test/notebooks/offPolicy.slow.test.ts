// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import {
  createRng,
  difference,
  enumerateReturn,
  make,
  recipe,
  toolChainPolicy,
  trainSeeds,
  type RecipeOverrides,
} from "turnwise";
import { estimatorErrors, reuseOneBatch } from "turnwise-course/off-policy-stability";
import { leverRecipe, traps } from "turnwise-course/echo-trap";
import type { EstimatorError } from "turnwise-course/internal/05-off-policy-stability/estimatorError";
import { isAboutEstimators } from "./estimatorRows";
import { claimOf, storedLedger } from "./storedLedger";

const shown = (e: { mean: number; low: number; high: number }, digits: number): string =>
  `${e.mean.toFixed(digits)} [${e.low.toFixed(digits)}, ${e.high.toFixed(digits)}]`;

describe("the whole ledger of lesson 05, in its appendix, computed again", () => {
  const rows = storedLedger("appendix/05-off-policy-stability");
  const touched = new Set<string>();
  const has = (words: string, expected: string): void => {
    const { claim, measured: text } = claimOf(rows, words);
    touched.add(claim);
    assert.ok(text.includes(expected), `${expected} in: ${text}`);
  };

  it("holds the grain of the ratio under SGD, seed by seed", async () => {
    const runs = async (ratio: RecipeOverrides["ratio"]): Promise<number[]> => {
      const loop = recipe("loop", {
        ...(ratio === undefined ? {} : { ratio }),
        update: { epochs: 4, minibatches: 4, optimizer: { kind: "sgd", learningRate: 8 } },
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

  it("holds bias and error of the estimators, judged by the exact gradient", () => {
    const env = make("ToolChain-v0");
    const row = leverRecipe("vanilla", { ...traps.sane, optimizer: { kind: "sgd", learningRate: 8 } });
    const behavior = toolChainPolicy(env.spec, { beta: 3, seed: 0 });
    const target = behavior.clone();
    reuseOneBatch(env, target, row, { steps: 16, rng: createRng(0).split("reuse") });
    const judged = estimatorErrors({
      ...{ env, behavior, target, exact: enumerateReturn(env, target).gradient, batches: 400 },
      rng: createRng(1).split("judge"),
    });
    const judge = (name: string): EstimatorError => judged.find((e) => e.name === name)!;
    for (const name of ["trajectory, product", "token", "turn, geometric", "trajectory, geometric"]) {
      const { bias, noise, deviation } = judge(name);
      has(
        "The product over the trajectory",
        `${name} ${bias.toFixed(2)} (+- ${noise.toFixed(2)}), deviation ${deviation.toFixed(2)}`,
      );
    }
    const pair = (name: string): string => `${judge(name).bias.toFixed(2)} (${judge(name).error.toFixed(2)})`;
    has(
      "A turn's geometric ratio estimates",
      `token ${pair("token")}, turn geometric ${pair("turn, geometric")}; ` +
        `clipped at .2: token ${pair("token, clipped")}, turn geometric ${pair("turn, geometric, clipped")}`,
    );
    assert.ok(judge("trajectory, product").bias < 2 * judge("trajectory, product").noise);
  }).timeout(120_000);

  it("computes every row that offPolicy.test.ts leaves to it", () => {
    const left = rows.map(({ claim }) => claim).filter(isAboutEstimators);
    assert.equal(left.length, 2);
    assert.deepEqual(
      left.filter((claim) => !touched.has(claim)),
      [],
    );
  });
});
