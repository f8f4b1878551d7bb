import assert from "node:assert/strict";
import {
  recipe,
  recipeNames,
  surrogateGradient,
  surrogateLoss,
  tf,
  type Recipe,
  type RecipeName,
} from "turnwise";
import { subtreeAdvantage } from "turnwise/internal/rule/advantage/subtree";
import { episodePlusStep } from "turnwise/internal/rule/advantage/episodePlusStep";
import { batchOf, draws, onTensors, raggedInput, type FullInput } from "./support";

const shape = [4, 3, 3] as const;
/** Log-probs of a token that is certain, near certain, rare and all but impossible; each against each is a ratio of up to e^80. */
const corners = [0, -1e-9, -5, -80];

/** A ragged batch whose active cells are corners, and whose other cells hold NaN. */
function atCorners(seed: number): FullInput {
  const next = draws(seed);
  const input = raggedInput(seed, shape);
  const corner = (): number => corners[Math.floor(next() * corners.length)]!;
  const fill = (of: () => number): Float64Array =>
    Float64Array.from(input.mask_ntl, (mask) => (mask === 1 ? of() : NaN));
  return {
    ...input,
    logProb_ntl: fill(corner),
    oldLogProb_ntl: fill(corner),
    refLogProb_ntl: fill(corner),
    entropy_ntl: fill(next),
    advantage_ntl: fill(() => 4 * (next() - 0.5)),
  };
}

const isFinite = (values: ArrayLike<number>): boolean => Array.from(values).every(Number.isFinite);

/** Loss and gradient of the tensor form. */
function onTensorsOf(input: FullInput, row: Recipe, shown_n: ArrayLike<number>): ArrayLike<number> {
  const [N, T, L] = shape;
  const demonstration = Float32Array.from({ length: N * T * L }, (_, i) => shown_n[Math.floor(i / (T * L))]!);
  const batch = { ...onTensors(input), demonstration_ntl: tf.tensor3d(demonstration, [N, T, L]) };
  const both = tf.valueAndGrad(
    (x: tf.Tensor) => surrogateLoss({ ...batch, logProb_ntl: x as tf.Tensor3D }, row).loss,
  )(batch.logProb_ntl);
  const read = [...both.value.dataSync(), ...both.grad.dataSync()];
  tf.dispose([both.value, both.grad, ...Object.values(batch)] as tf.Tensor[]);
  return read;
}

describe("every rule at the edge of its inputs", () => {
  for (const name of recipeNames) {
    it(`${name} has a finite loss and gradient, also beside masked cells that hold NaN, in both forms`, () => {
      const row = recipe(name);
      for (let seed = 1; seed <= 4; seed++) {
        const input = atCorners(seed);
        const demonstration_n = Uint8Array.from([0, 1, 0, 1]);
        const { loss, dLogProb_ntl } = surrogateGradient({ ...input, demonstration_n }, row);
        assert.ok(Number.isFinite(loss) && isFinite(dLogProb_ntl), `${name}, seed ${seed}: numbers`);
        assert.ok(isFinite(onTensorsOf(input, row, demonstration_n)), `${name}, seed ${seed}: tensors`);
      }
    });
  }

  /** Both forms of a rule, which must be finite or refuse by naming the entry. */
  const finiteOrNamed = (name: RecipeName, input: FullInput, entry: RegExp): void => {
    const demonstration_n = Uint8Array.from([0, 1, 0, 1]);
    const forms = [
      () => {
        const found = surrogateGradient({ ...input, demonstration_n }, recipe(name));
        return [found.loss, ...found.dLogProb_ntl, ...(found.dEntropy_ntl ?? [])];
      },
      () => onTensorsOf(input, recipe(name), demonstration_n),
    ];
    for (const [f, form] of forms.entries()) {
      let values: ArrayLike<number>;
      try {
        values = form();
      } catch (error) {
        assert.ok(error instanceof RangeError && entry.test(error.message), `${name}: ${String(error)}`);
        continue;
      }
      assert.ok(isFinite(values), `${name}, form ${f}`);
    }
  };

  const edges = [
    ["logProb_ntl", -Infinity],
    ["logProb_ntl", NaN],
    ["oldLogProb_ntl", -Infinity],
    ["oldLogProb_ntl", NaN],
    ["refLogProb_ntl", -Infinity],
    ["advantage_ntl", -Infinity],
    ["advantage_ntl", NaN],
    ["entropy_ntl", NaN],
  ] as const;
  for (const [field, value] of edges) {
    it(`a ${field} of ${value} leaves every rule finite, or is named by a refusal, in both forms`, () => {
      for (const name of recipeNames) {
        const input = raggedInput(1, shape);
        // The first cell is active in every ragged batch.
        (input[field] as Float64Array)[0] = value;
        const named = new RegExp(
          `^Cannot compute the surrogate (gradient|loss): .*${field} is ${value} at trajectory 0, turn 0, token 0`,
        );
        finiteOrNamed(name, input, named);
      }
    });
  }

  it("an overflow of finite entries is refused with the token that has moved farthest", () => {
    const input = raggedInput(1, shape);
    input.logProb_ntl[0] = -1e4;
    const row = recipe("grpo", { regularizer: { klReference: { coef: 0.1, estimator: "k3" } } });
    assert.throws(() => surrogateGradient(input, row), {
      name: "RangeError",
      message:
        /got loss Infinity\. Every entry is finite, so a term overflows\. .* log-prob -10000, old .*turn 0, token 0\.$/,
    });
  });

  it("surrogateLoss refuses what surrogateGradient alone reads, and says what to give instead", () => {
    const batch = { ...onTensors(raggedInput(1)), demonstration_n: [1, 0, 0, 0] };
    assert.throws(() => surrogateLoss(batch, recipe("rlPlus")), {
      name: "RangeError",
      message: /: only surrogateGradient reads demonstration_n\. Give demonstration_ntl/,
    });
    tf.dispose(Object.values(batch) as tf.Tensor[]);
  });

  it("a turn's value stays an average of its children, however surprising these are", () => {
    // Both turns that follow are as surprising, 800 nats, so each counts for half: (4 + 2) / 2.
    const batch = {
      shape: [2, 2, 1] as const,
      fork_n: [null, { tree: "a", parent: "a", turn: 1 }],
      trajectoryId: ["a", "b"],
      groupId: ["g", "g"],
      turnCount_n: Int32Array.from([2, 2]),
      mask_ntl: Uint8Array.from([1, 1, 1, 1]),
      oldLogProb_ntl: Float64Array.from([0, -800, 0, -800]),
    };
    assert.deepEqual([...subtreeAdvantage(batch, [4, 2], "surprise")], [3, 4, 3, 2]);
  });

  it("a turn that is alone in its group is credited with its episode alone", () => {
    const batch = {
      ...batchOf({ groupId: ["a", "b"], return_n: [1, 0] }),
      step_nt: Float64Array.from([5, 5]),
    };
    const twins = { ...batch, groupId: ["a", "a"], turnCount_n: Int32Array.from([1, 0]) };
    const { advantage } = episodePlusStep.assign(
      { weight: 1, among: "allTurns" } as never,
      { batch: twins, reward: { return_n: [1, 0] }, scale: { kind: "none" } } as never,
    ) as { advantage: ArrayLike<number> };
    // Its return against the other's, 1 - 0; nothing to compare its step reward with.
    assert.equal(advantage[0], 1);
  });
});
