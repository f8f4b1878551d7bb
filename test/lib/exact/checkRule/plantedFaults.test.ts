import assert from "node:assert/strict";
import { checkRule } from "turnwise";
import { faults } from "./faults.js";
import { timed } from "./seconds.js";

describe("checkRule() on rules with one mistake each", () => {
  for (const { mistake, row, found } of faults) {
    it(`finds ${mistake}: "${found}"`, () => {
      const { card, seconds } = timed(() => checkRule(row));
      assert.ok(card.failed.includes(found), `${card.failed.join(", ")}\n${String(card)}`);
      assert.ok(!card.passed);
      assert.ok(seconds < 5, `${seconds} s`);
    });
  }
});
