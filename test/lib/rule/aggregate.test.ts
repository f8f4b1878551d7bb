import assert from "node:assert/strict";
import { tokenWeights, type AggregateChoice } from "turnwise/internal/rule/index";
import { aggregates } from "turnwise/internal/rule/aggregate/index";
import { assertClose } from "./support";

describe("tokenWeights", () => {
  // Three trajectories, two turns of two tokens: the first has 2 + 1 tokens, the second 1 + 0, the third none at all.
  const shape = [3, 2, 2] as const;
  const mask = [1, 1, 1, 0, /**/ 1, 0, 0, 0, /**/ 0, 0, 0, 0];
  const at = (a: number, b: number, c: number, d: number): number[] => [a, b, c, 0, d, 0, 0, 0, 0, 0, 0, 0];

  const cases: [string, AggregateChoice, number[]][] = [
    ["tokenMean: 4 tokens in all", { kind: "tokenMean", per: "batch" }, at(1 / 4, 1 / 4, 1 / 4, 1 / 4)],
    [
      "tokenMean per turn: 3 tokens in turn 0, 1 in turn 1",
      { kind: "tokenMean", per: "turn" },
      at(1 / 3, 1 / 3, 1, 1 / 3),
    ],
    [
      "sequenceMeanTokenMean: 2 rows with tokens, of 3 and 1",
      { kind: "sequenceMeanTokenMean", per: "batch" },
      at(1 / 6, 1 / 6, 1 / 6, 1 / 2),
    ],
    [
      "sequenceMeanTokenMean per turn: turn 0 has 2 rows (2 and 1 tokens), turn 1 has 1",
      { kind: "sequenceMeanTokenMean", per: "turn" },
      at(1 / 4, 1 / 4, 1, 1 / 2),
    ],
    [
      "turnMean over the trajectory: 2 rows, of 2 and 1 turns",
      { kind: "turnMean", over: "trajectory" },
      at(1 / 8, 1 / 8, 1 / 4, 1 / 2),
    ],
    ["turnMean over the batch: 3 turns", { kind: "turnMean", over: "batch" }, at(1 / 6, 1 / 6, 1 / 3, 1 / 3)],
    ["constant 5: 3 rows", { kind: "constant", length: 5, per: "batch" }, at(1 / 15, 1 / 15, 1 / 15, 1 / 15)],
    [
      "constant maximum: 3 rows of 4 cells",
      { kind: "constant", length: "maximum", per: "batch" },
      at(1 / 12, 1 / 12, 1 / 12, 1 / 12),
    ],
    [
      "constant 1 per turn: 2 rows act in turn 1 and 1 row in turn 2",
      { kind: "constant", length: 1, per: "turn" },
      at(1 / 2, 1 / 2, 1, 1 / 2),
    ],
  ];

  for (const [title, choice, expected] of cases) {
    it(title, () => {
      assertClose(tokenWeights(shape, mask, choice), expected, 1e-15);
    });
  }

  it("of a constant is the same token by token as everywhere", () => {
    const counts = { N: 3, T: 2, L: 4 } as Parameters<typeof aggregates.constant.of>[1];
    // 3 rows of 2 * 4 cells, or of 5.
    assert.equal(aggregates.constant.of({ length: "maximum", per: "batch" }, counts, 0, 0), 24);
    assert.equal(aggregates.constant.of({ length: 5, per: "batch" }, counts, 0, 0), 15);
  });

  it("refuses a mask that does not fit", () => {
    assert.throws(() => tokenWeights(shape, [1], { kind: "tokenMean", per: "batch" }), {
      name: "TypeError",
      message: "Cannot compute token weights: mask_ntl must have 12 (3 x 2 x 2) entries, got 1.",
    });
  });

  it("is 0 everywhere for a batch without an active token", () => {
    for (const [, choice] of cases) {
      assertClose(tokenWeights([1, 1, 2], [0, 0], choice), [0, 0], 0);
    }
  });
});
