import assert from "node:assert/strict";
import { createPolicy, LogLinearPolicy, make, optionsTable, TabularPolicy, train } from "turnwise";
import { policyFields } from "turnwise/internal/policy/index";

const { spec } = make("LookUp-v0");
// What a notebook without types, or a plan in a file, may hold.
const given = (options: object): never => options as never;

describe("options of policies", () => {
  it("refuse a misspelled name, with the nearest right one, wherever a policy is made", () => {
    const message = `Cannot make a tabular policy: unknown option "syntaxPriro".\nDid you mean "syntaxPrior"?`;
    const options = given({ syntaxPriro: 3 });
    assert.throws(() => createPolicy(spec, options), { name: "RangeError", message });
    assert.throws(() => new TabularPolicy(spec, options), { name: "RangeError", message });
    const run = { env: "LookUp-v0", recipe: "grpo", updates: 1, policy: options } as const;
    assert.throws(() => train(run), { name: "RangeError", message });
  });

  it("refuse what another kind of policy has", () => {
    assert.throws(() => createPolicy(spec, { kind: "mlp", layers: 2 }), {
      name: "RangeError",
      message: `Cannot make a mlp policy: unknown option "layers".\nIts options may have only width, window, compute, seed, valueHead.`,
    });
    assert.throws(() => new LogLinearPolicy(spec, given({ memory: "history" })), {
      name: "RangeError",
      message: `Cannot make a logLinear policy: unknown option "memory".\nIts options may have only initialScale, perTurn, prior, seed, valueHead.`,
    });
  });

  it("refuse values of another type and out of range", () => {
    assert.throws(() => createPolicy(spec, { kind: "gru", width: 2.5 }), {
      name: "RangeError",
      message: "Cannot make a gru policy: width must be an integer of at least 1, got 2.5.",
    });
    assert.throws(() => createPolicy(spec, given({ valueHead: "yes" })), {
      name: "TypeError",
      message: 'Cannot make a tabular policy: valueHead must be true or false, got "yes".',
    });
  });

  it("are listed with their defaults, kind by kind", () => {
    for (const kind of Object.keys(policyFields)) {
      const rows = optionsTable(kind);
      assert.ok(
        rows.every(({ help }) => help.endsWith(".")),
        kind,
      );
      assert.ok(rows.some(({ option }) => option === "seed"));
    }
    assert.equal(optionsTable("mlp").find(({ option }) => option === "window")!.default, "12");
    assert.equal(optionsTable("gru").find(({ option }) => option === "window")!.default, "64");
  });
});
