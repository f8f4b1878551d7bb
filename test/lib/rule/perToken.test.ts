// Uses internals of turnwise/base, turnwise/tensor.
import assert from "node:assert/strict";
import fc from "fast-check";
import { exp } from "turnwise/tensor";
import { recipe, recipeNames, surrogateGradient, type Recipe } from "turnwise";
import { expm1 } from "turnwise/internal/base/elementary/expm1";
import { expPairs } from "turnwise/internal/base/elementary/expPairs";
import { gateOf, gates } from "turnwise/internal/rule/gate/index";
import { onDemand } from "turnwise/internal/rule/surrogate/gateBlock";
import { beyondLimit, limitedExp } from "turnwise/internal/rule/ratio/units";
import { divergence } from "turnwise/internal/rule/surrogate/tally";
import { COMPILED_FROM, compiledTable } from "turnwise/internal/tensor/fused/table";
import { besideGate, raggedInput, type FullInput } from "./support";

const specials = [0, -0, 0.02, -0.02, 1e-300, 20, -20, 50, -50, 709.8, -745.2, NaN, Infinity, -Infinity];

describe("e^x and e^x - 1 in one go", () => {
  it("have the bits of exp and expm1, of any numbers", () => {
    const number = fc.oneof(
      fc.double(),
      fc.double({ min: -0.03, max: 0.03, noNaN: true }),
      fc.double({ min: -60, max: 60, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(number, { maxLength: 50 }), (numbers) => {
        const x = Float64Array.from([...specials, ...numbers]);
        const [power, less] = [new Float64Array(x.length), new Float64Array(x.length)];
        expPairs(x, x.length, power, less);
        x.forEach((one, n) => {
          assert.ok(Object.is(power[n], exp(one)), `e^${one} is ${power[n]}, not ${exp(one)}`);
          assert.ok(Object.is(less[n], expm1(one)), `e^${one} - 1 is ${less[n]}, not ${expm1(one)}`);
        });
      }),
    );
  });

  it("are written for the first numbers only, as many as are asked for", () => {
    const [power, less] = [Float64Array.of(7, 7), Float64Array.of(8, 8)];
    expPairs(Float64Array.of(0, 1), 1, power, less);
    assert.deepEqual([...power, ...less], [1, 7, 0, 8]);
  });
});

/** A batch some of whose ratios are at the limit of e^20 or e^-20, and some of whose tokens have not moved at all. */
function extremeInput(seed: number): FullInput {
  const input = raggedInput(seed, [5, 2, 3], 0.9);
  const logProb_ntl = Float64Array.from(input.logProb_ntl);
  for (let i = 0; i < logProb_ntl.length; i += 4) logProb_ntl[i] = input.oldLogProb_ntl[i]!;
  logProb_ntl[1] = input.oldLogProb_ntl[1]! - 25;
  logProb_ntl[6] = input.oldLogProb_ntl[6]! + 21;
  return { ...input, logProb_ntl };
}

/** The objective's derivative and what it counts, one token after the other, as the formulas are written. */
function byHand(
  input: FullInput & { readonly weight_ntl: Float64Array },
  row: Recipe,
): { dLogProb: number[]; ratios: number[] } {
  const gate = gateOf(row.gate);
  const size = input.logProb_ntl.length;
  const ratio = Float64Array.from(input.logProb_ntl, (logProb, i) =>
    limitedExp(logProb - input.oldLogProb_ntl[i]!),
  );
  const [objective, slope, slopeLogProb] = [0, 1, 2].map(() => new Float64Array(size));
  gate.evaluate(row.gate, {
    ...{ size, active: input.mask_ntl, ratio, advantage: input.advantage_ntl, logProb: input.logProb_ntl },
    ...{ objective: objective!, slope: slope!, slopeLogProb: slopeLogProb!, clipped: new Uint8Array(size) },
    ...onDemand(input, input.mask_ntl, 1),
  });
  const taken = [...ratio.keys()].filter((i) => input.mask_ntl[i] === 1);
  const dLogProb = [...ratio.keys()].map((i) => {
    if (input.mask_ntl[i] !== 1) return 0;
    const weight = input.weight_ntl[i]!;
    const apart = input.logProb_ntl[i]! - input.oldLogProb_ntl[i]!;
    const dRatio = gate.through === "logProb" ? 1 : beyondLimit(apart) ? 0 : ratio[i]!;
    const through = -(weight * slope![i]!) * dRatio;
    return gate.through === "both" ? through - weight * slopeLogProb![i]! : through;
  });
  return { dLogProb, ratios: taken.map((i) => ratio[i]!) };
}

describe("the sum over tokens in one pass", () => {
  const rows = recipeNames
    .map((name) => recipe(name, { regularizer: { klReference: null, klOld: null } }))
    .filter((row) => gateOf(row.gate).needsRatio && row.ratio.level === "token");

  it(`has the bits of the formulas, written token by token, in each of the ${rows.length} rows with a ratio for each token`, () => {
    assert.ok(rows.length > 20);
    for (const [k, row] of rows.entries()) {
      const bare = extremeInput(k);
      const input = { ...bare, weight_ntl: Float64Array.from(bare.mask_ntl, (_, i) => 0.1 + i / 64) };
      const { dLogProb_ntl, metrics } = surrogateGradient(input, row);
      const { dLogProb, ratios } = byHand(input, row);
      const { covariance, entropyShare, custom: own } = row.regularizer;
      if (covariance.kind === "off" && entropyShare === 1 && own === null)
        assert.deepEqual([...dLogProb_ntl], dLogProb, row.name);
      const { "policy/approxKl": kl, "policy/entropy": entropy } = metrics;
      const expected = divergence(input, input.mask_ntl);
      assert.deepEqual(
        { kl, entropy },
        { kl: expected["policy/approxKl"], entropy: expected["policy/entropy"] },
      );
      assert.equal(metrics["policy/ratioMax"], Math.max(...ratios));
      assert.equal(metrics["policy/ratioMin"], Math.min(...ratios));
    }
  });

  /** Large enough for a compiled pass, and small: several ragged batches as one, with draws of their own. */
  const sizes = [
    { title: `${COMPILED_FROM - 2} tokens`, shape: [(COMPILED_FROM - 2) / 6, 2, 3] as const },
    { title: `${COMPILED_FROM + 4} tokens`, shape: [(COMPILED_FROM + 4) / 6, 2, 3] as const },
  ];
  for (const { title, shape } of sizes) {
    it(`has the bits of the gate itself, compiled or not, of each gate at ${title}`, () => {
      for (const [k, kind] of Object.keys(gates).entries()) {
        if (!gates[kind as keyof typeof gates].needsRatio) continue;
        const row = recipe("grpo", {
          gate: kind as keyof typeof gates,
          regularizer: { klReference: null },
          ...besideGate(kind),
        });
        const bare = raggedInput(40 + k, shape, 1.5);
        const input = { ...bare, weight_ntl: Float64Array.from(bare.mask_ntl, (_, i) => 0.1 + i / 64) };
        const found = surrogateGradient(input, row);
        // A plain list is not what compiled code reads, so this one runs `evaluate`.
        const stepped = surrogateGradient({ ...input, advantage_ntl: Array.from(input.advantage_ntl) }, row);
        assert.deepEqual(found, stepped, kind);
        if (!gateOf(row.gate).beforePooling)
          assert.deepEqual([...found.dLogProb_ntl], byHand(input, row).dLogProb, kind);
      }
    });
  }

  it("is compiled for a clip", () => {
    const compiled = Object.entries(gates).filter(([, gate]) => gate.compiled);
    assert.deepEqual(
      compiled.map(([kind]) => kind),
      ["clip"],
    );
    assert.ok(compiledTable(), "this engine has WebAssembly SIMD");
  });
});
