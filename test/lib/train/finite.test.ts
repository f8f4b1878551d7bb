import assert from "node:assert/strict";
import { NonFiniteError } from "turnwise";
import { finiteNorm } from "turnwise/internal/train/finite";

/** Two trajectories of two turns of two tokens; the last cell is masked. */
const input = {
  shape: [2, 2, 2] as const,
  logProb_ntl: [-5, -1, -1, -1, -1, -1, -1, -1],
  oldLogProb_ntl: [-5, -2, -1, -1, -4, -1, -1, -9],
  mask_ntl: [1, 1, 1, 1, 1, 1, 1, 0],
  advantage_ntl: [0, 1, 2, 3, 4, 5, 6, 7],
  trajectoryId: ["first", "second"],
};
const gradient = (...values: number[]): { values: Float64Array; width: number; blocks: number[] } => ({
  values: Float64Array.from(values),
  width: 2,
  blocks: [0, 2],
});
const failure = (step: Partial<Parameters<typeof finiteNorm>[0]>): NonFiniteError => {
  try {
    finiteNorm({ index: 7, loss: 1, gradient: gradient(3, 0, 0, 4), input, turns: [0, 1], ...step });
  } catch (error) {
    if (error instanceof NonFiniteError) return error;
    throw error;
  }
  throw new Error("it did not throw");
};

describe("finiteNorm()", () => {
  it("is the norm of the gradient when all is well", () => {
    assert.equal(finiteNorm({ index: 1, loss: 1, gradient: gradient(3, 0, 0, 4), input, turns: [0, 1] }), 5);
  });

  it("refuses a loss that is not finite, and names the tokens farthest from their old log-prob, at most five", () => {
    const error = failure({ loss: NaN });
    assert.equal(
      error.message,
      "Cannot go on training: loss and gradient must be finite, but update 7 has loss NaN, gradient norm 5; " +
        "worst token: trajectory second, turn 0, token 0, log-prob -1, old -4, advantage 4.",
    );
    assert.equal(error.dump.update, 7);
    assert.equal(error.dump.gradientNorm, 5);
    // Distances 3 (second, turn 0, token 0), 1 (first, turn 0, token 1), and 0: in the order of the batch.
    assert.deepEqual(
      error.dump.worst.map(({ trajectoryId, turn, token }) => [trajectoryId, turn, token]),
      [
        ["second", 0, 0],
        ["first", 0, 1],
        ["first", 0, 0],
        ["first", 1, 0],
        ["first", 1, 1],
      ],
    );
    assert.deepEqual(error.dump.worst[1], {
      trajectoryId: "first",
      turn: 0,
      token: 1,
      logProb: -1,
      oldLogProb: -2,
      advantage: 1,
    });
  });

  it("refuses a gradient that is not finite, also where the loss is", () => {
    assert.equal(failure({ gradient: gradient(Infinity, 0, 0, 0) }).dump.gradientNorm, Infinity);
  });

  it("puts tokens with numbers that are not finite first, an advantage too, and looks at the step's turns alone", () => {
    const advantage_ntl = [...input.advantage_ntl];
    advantage_ntl[6] = NaN;
    const { dump } = failure({ loss: Infinity, input: { ...input, advantage_ntl }, turns: [1] });
    assert.deepEqual(
      dump.worst.map(({ trajectoryId, turn, token }) => [trajectoryId, turn, token]),
      [
        ["second", 1, 0],
        ["first", 1, 0],
        ["first", 1, 1],
      ],
    );
  });

  it("says nothing of tokens where there are none", () => {
    const none = { ...input, mask_ntl: new Array<number>(8).fill(0) };
    const error = failure({ loss: -Infinity, input: none });
    assert.deepEqual(error.dump.worst, []);
    assert.match(error.message, /has loss -Infinity, gradient norm 5\.$/);
  });
});
