import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createRng, make, toolChainPolicy } from "turnwise";
import {
  leverEffect,
  leverRecipe,
  leverSweep,
  storedRuns,
  traps,
  type LeverName,
} from "turnwise-course/echo-trap";
import { reuseOneBatch, walkSpread } from "turnwise-course/off-policy-stability";
import { root } from "../support/paths.js";
import { isAboutEstimators } from "./estimatorRows";
import { claimOf, storedLedger } from "./storedLedger";

const shown = (e: { mean: number; low: number; high: number }, digits: number): string =>
  `${e.mean.toFixed(digits)} [${e.low.toFixed(digits)}, ${e.high.toFixed(digits)}]`;

describe("the whole ledger of lesson 05, in its appendix", () => {
  const rows = storedLedger("appendix/05-off-policy-stability");
  const touched = new Set<string>();
  const text = (words: string): string => {
    const { claim, measured } = claimOf(rows, words);
    touched.add(claim);
    return measured;
  };
  const has = (words: string, expected: string): void =>
    assert.ok(text(words).includes(expected), `${expected} in: ${text(words)}`);

  it("holds the closed form at 40 tokens", () => {
    const outside = walkSpread(40, 0.1, "product").outside;
    has("The spread of a product", `product ${outside.toFixed(3)}`);
  });

  it("holds what 16 steps on one batch do to ratios, gradient and clipped-out gradient", () => {
    const env = make("ToolChain-v0");
    const row = leverRecipe("vanilla", { ...traps.sane, optimizer: { kind: "sgd", learningRate: 8 } });
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

  const runs = storedRuns(fs.readFileSync(path.join(root, "datasets", "measured", "echo-trap.csv"), "utf8"));

  it("holds the effects of levers under mismatch, and over the mismatch sweep, as stored", () => {
    const gain = (lever: LeverName): string => {
      const e = leverEffect(runs, "mismatch", lever)!;
      return `${lever} ${shown(e.final, 2)}, gain ${shown(e.gain, 2)}`;
    };
    for (const lever of ["vanilla", "turn ratio geometric", "GSPO", "SO-GRPO, gradient"] as const) {
      has("Turn-level geometric ratios stabilize", gain(lever));
    }
    has("The arithmetic mean", gain("turn ratio arithmetic"));
    for (const lever of ["gradient clip", "dual clip 3", "turn ratio geometric"] as const) {
      has("It takes a new ratio", gain(lever));
    }
    const noises = { ".1": "logProbNoise=0.1", ".2": "logProbNoise=0.2", ".3": "logProbNoise=0.3", ".5": "" };
    for (const { lever, setting, final } of leverSweep(runs, "mismatch", noises)) {
      if (lever === "vanilla") has("Small mismatch", `noise ${setting}: ${shown(final, 2)}`);
    }
  });

  it("holds the learning-rate sweep as stored", () => {
    const rates = { "Adam .1": "adam=0.1", "Adam .3": "adam=0.3", "SGD 8": "sgd=8", "SGD 32": "sgd=32" };
    const named = new Map<string, number>();
    for (const { lever, setting, gain, final, stopped } of leverSweep(runs, "sane", rates)) {
      const outcome = stopped > 0 ? `${stopped} of 20 stop` : shown(gain, 2);
      for (const { claim, measured } of rows) {
        if (!measured.includes(`${lever}, ${setting} `)) continue;
        assert.ok(measured.includes(`${lever}, ${setting} ${outcome}`), `${outcome} in: ${measured}`);
        named.set(claim, (named.get(claim) ?? 0) + 1);
      }
      const grain = /^LOOP, (.*)/.exec(lever)?.[1];
      if (grain && (setting === "SGD 8" || setting === "Adam .1")) {
        has("Token ratios are better", `${grain} ${shown(final, 2)}`);
      }
    }
    for (const words of [
      "Turn-level ratios widen",
      "Our KL penalty, triggered by clipping, widens it",
      "Clipping-triggered normalization widens it (SO-GRPO)",
      "Fewer steps",
    ]) {
      const { claim, measured } = claimOf(rows, words);
      assert.equal(named.get(claim), measured.split("; ").length, claim);
      touched.add(claim);
    }
  });

  it("has no row that is not recomputed above, or in offPolicy.slow.test.ts", () => {
    assert.deepEqual(
      rows.map(({ claim }) => claim).filter((claim) => !touched.has(claim) && !isAboutEstimators(claim)),
      [],
    );
  });
});
