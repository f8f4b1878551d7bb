import assert from "node:assert/strict";
import fc from "fast-check";
import { custom, recipe, surrogateGradient, type Recipe, type RecipeOverrides } from "turnwise";

const shape = [2, 2, 3] as const;
const cells = 12;
const logProb = fc.double({ min: -2, max: -0.01, noNaN: true });
const list = (one: fc.Arbitrary<number>) => fc.array(one, { minLength: cells, maxLength: cells });
const inputs = fc.record({
  shape: fc.constant(shape),
  logProb_ntl: list(logProb),
  oldLogProb_ntl: list(logProb),
  mask_ntl: list(fc.constantFrom(0, 1, 1)),
  advantage_ntl: list(fc.double({ min: -2, max: 2, noNaN: true })),
});

const sum = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0);
const row = (overrides: RecipeOverrides): Recipe => recipe("grpo", { ...overrides, scale: "none" });

/** A name that has its gradient in closed form, and the same formula without a slope. */
const pairs: Readonly<Record<string, readonly [named: Recipe, own: Recipe]>> = {
  "the geometric ratio of a turn": [
    row({ gate: "sapo", ratio: { level: "turn", pooling: "geometric" } }),
    row({ gate: "sapo", ratio: custom("geometric", (d) => Math.exp(sum([...d]) / d.length)) }),
  ],
  "the arithmetic ratio of a trajectory": [
    row({ gate: "sapo", ratio: { level: "trajectory", pooling: "arithmetic" } }),
    row({
      gate: "sapo",
      ratio: { over: "trajectory", by: custom("arithmetic", (d) => sum(d.map(Math.exp)) / d.length) },
    }),
  ],
  "the product of a turn, which enters once": [
    row({ gate: "unclipped", ratio: { level: "turn", pooling: "product" } }),
    row({
      gate: "unclipped",
      ratio: { entersOnce: true, by: custom("product", (d) => Math.exp(sum([...d]))) },
    }),
  ],
  "SAPO's sigmoid": [
    row({ gate: { kind: "sapo", tauPositive: 1, tauNegative: 1 } }),
    row({
      gate: custom("sigmoid", {
        objective: ({ ratio, advantage }) => (4 / (1 + Math.exp(1 - ratio))) * advantage,
      }),
    }),
  ],
  "log pi times the advantage": [
    recipe("rloo"),
    recipe("rloo", {
      ratio: "token",
      gate: {
        through: "logProb",
        by: custom("score", { objective: ({ advantage, logProb }) => advantage * logProb }),
      },
    }),
  ],
  "the squared log-ratio": [
    row({ regularizer: { klOld: { coef: 0.3, estimator: "k2" } } }),
    row({
      regularizer: custom("squared", ({ logProb, oldLogProb }) => (0.3 * (logProb - oldLogProb) ** 2) / 2),
    }),
  ],
};

describe("a function without a slope has the gradient of the same formula in closed form", () => {
  for (const [title, [named, own]] of Object.entries(pairs)) {
    it(title, () => {
      fc.assert(
        fc.property(inputs, (input) => {
          const wanted = surrogateGradient(input, named);
          const found = surrogateGradient(input, own);
          assert.ok(Math.abs(found.loss - wanted.loss) < 1e-12);
          found.dLogProb_ntl.forEach((x, i) => {
            // Central differences over 1e-5: the error is its square times a third derivative below 100.
            assert.ok(Math.abs(x - wanted.dLogProb_ntl[i]!) < 1e-8, `${i}: ${x}, ${wanted.dLogProb_ntl[i]!}`);
          });
        }),
        { numRuns: 60 },
      );
    });
  }

  it("and never sees a masked cell: NaN there changes nothing", () => {
    const seen: number[] = [];
    const watching = row({
      ratio: custom("watching", (d) => (seen.push(...d), Math.exp(sum([...d])))),
      regularizer: custom("watching too", ({ logProb }) => (seen.push(logProb), 0)),
      gate: custom("and this", {
        objective: ({ ratio, advantage }) => (seen.push(advantage), ratio * advantage),
      }),
    });
    const mask_ntl = [1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0];
    const fill = (x: number): number[] => mask_ntl.map((flag, i) => (flag === 1 ? x - i / 10 : NaN));
    const input = {
      shape,
      mask_ntl,
      logProb_ntl: fill(-1),
      oldLogProb_ntl: fill(-1.2),
      advantage_ntl: fill(1),
    };
    const { loss, dLogProb_ntl } = surrogateGradient(input, watching);
    assert.ok(seen.length > 0 && seen.every(Number.isFinite) && Number.isFinite(loss));
    dLogProb_ntl.forEach((x, i) => assert.ok(mask_ntl[i] === 1 ? Number.isFinite(x) : x === 0));
  });
});

describe("a function of another copy of the library", () => {
  it("is known by its mark, as a module beside a notebook may have loaded one", () => {
    const { advantage } = recipe("grpo", { advantage: custom("mine", (batch) => batch.return_n) });
    const foreign = Object.defineProperty(
      { ...(advantage as { by: object }).by },
      Symbol.for("turnwise.custom"),
      {
        value: true,
      },
    );
    assert.equal(recipe("grpo", { advantage: foreign as never }).advantage.kind, "custom");
    assert.throws(
      () => recipe("grpo", { advantage: { ...foreign } as never }),
      /Advantage with kind "mean" may have only/,
    );
  });
});
