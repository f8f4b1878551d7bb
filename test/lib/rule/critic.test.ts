import assert from "node:assert/strict";
import { advantages, recipe, type RecipeOverrides } from "turnwise";
import { assertClose, batchOf } from "./support";

describe("advantages with a critic", () => {
  const twoTurns = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [2, 1], tokens: 2 });
  const values = [0.25, 0.5, 0.75, NaN];
  const row = (advantage: RecipeOverrides["advantage"]) =>
    recipe("ppo", { advantage: advantage!, scale: "none" });

  it("discounts turn by turn at turn level", () => {
    // Row 0: delta_1 = 1 - .5 = .5; delta_0 = 0 + .9 * .5 - .25 = .2; A_0 = .2 + .9 * .5 * .5 = .425. Row 1: 0 - .75.
    const o = { kind: "gae", level: "turn", gamma: 0.9, lambda: 0.5 } as const;
    const { advantage_ntl } = advantages(twoTurns, row(o), values);
    assertClose(advantage_ntl, [0.425, 0.425, 0.5, 0.5, -0.75, -0.75, 0, 0], 1e-12);
  });

  it("discounts token by token at token level, with the reward on the turn's last token", () => {
    // Row 0, gamma .5, lambda 1, V = .25 .25 .5 .5: returns from the end 1, .5, .25, .125 minus the values.
    const o = { kind: "gae", level: "token", gamma: 0.5, lambda: 1 } as const;
    const { advantage_ntl } = advantages(twoTurns, row(o), values);
    assertClose(advantage_ntl, [-0.125, 0, 0, 0.5, -0.75, -0.75, 0, 0], 1e-12);
  });

  it("at gamma = lambda = 1 is the reward to go minus the value, at either level", () => {
    const token = advantages(twoTurns, row({ kind: "gae", level: "token" }), values);
    const turn = advantages(twoTurns, row({ kind: "gae", level: "turn" }), values);
    assertClose(token.advantage_ntl, [0.75, 0.75, 0.5, 0.5, -0.75, -0.75, 0, 0], 1e-12);
    assertClose(token.advantage_ntl, turn.advantage_ntl, 1e-12);
  });

  it("wants one value for every turn, or for every token", () => {
    const wants = (
      advantage: RecipeOverrides["advantage"],
      given: object,
      name: string,
      cells: string,
    ): void => {
      assert.throws(() => advantages(twoTurns, row(advantage), given), {
        name: "TypeError",
        message: `Cannot compute advantages: ${name} must have ${cells} entries, got 1.`,
      });
    };
    wants({ kind: "gae", level: "turn" }, { value_nt: [1] }, "value_nt", "4 (2 x 2)");
    wants({ kind: "gae", level: "token" }, { value_nt: [1] }, "value_nt", "4 (2 x 2)");
    wants({ kind: "gae", level: "token" }, { value_ntl: [1] }, "value_ntl", "8 (2 x 2 x 2)");
    wants({ kind: "hierarchical" }, { value_nt: [1] }, "value_nt", "4 (2 x 2)");
    wants({ kind: "hierarchical" }, { value_nt: values, valueHigh_nt: [1] }, "valueHigh_nt", "4 (2 x 2)");
    wants({ kind: "hierarchical" }, { value_nt: values, valueTerm_nt: [1] }, "valueTerm_nt", "4 (2 x 2)");
  });

  it("asks for values when there are none", () => {
    assert.throws(() => advantages(twoTurns, recipe("ppo")), {
      name: "TypeError",
      message: "Cannot compute advantages: a rule with a critic needs value_nt, got none.",
    });
  });
});
