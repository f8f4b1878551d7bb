import assert from "node:assert/strict";
import { createPolicy, LogLinearPolicy, make, optionsTable, TabularPolicy, train } from "turnwise";
import { policyFields } from "turnwise/internal/policy/index";

const { spec } = make("LookUp-v0");
// What a notebook without types, or a plan in a file, may hold.
const given = (options: object): never => options as never;

describe("options of policies", () => {
  it("refuse a misspelled name, with the nearest right one, wherever a policy is made", () => {
    const message =
      "Cannot make a tabular policy as its options must have only memory, initialScale, syntaxPrior, seed, valueHead: " +
      'got syntaxPriro; did you mean "syntaxPrior"?';
    const options = given({ syntaxPriro: 3 });
    assert.throws(() => createPolicy(spec, options), { name: "RangeError", message });
    assert.throws(() => new TabularPolicy(spec, options), { name: "RangeError", message });
    const run = { env: "LookUp-v0", recipe: "grpo", updates: 1, policy: options } as const;
    assert.throws(() => train(run), { name: "RangeError", message });
  });

  it("refuse what another kind of policy has", () => {
    assert.throws(() => createPolicy(spec, { kind: "mlp", layers: 2 }), {
      name: "RangeError",
      message:
        "Cannot make a mlp policy as its options must have only width, window, compute, seed, valueHead: got layers",
    });
    assert.throws(() => new LogLinearPolicy(spec, given({ memory: "history" })), {
      name: "RangeError",
      message:
        "Cannot make a logLinear policy as its options must have only initialScale, perTurn, prior, seed, valueHead: got memory",
    });
  });

  it("refuse values of another type and out of range", () => {
    assert.throws(() => createPolicy(spec, { kind: "gru", width: 2.5 }), {
      name: "RangeError",
      message: "Cannot make a gru policy as width must be a whole number of at least 1: current value is 2.5",
    });
    assert.throws(() => createPolicy(spec, given({ valueHead: "yes" })), {
      name: "TypeError",
      message: 'Cannot make a tabular policy as valueHead must be true or false: current value is "yes"',
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
