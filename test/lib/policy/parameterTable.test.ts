import assert from "node:assert/strict";
import { collect, createPolicy, createRng, make, toolChainPolicy, type PolicyOptions } from "turnwise";
import { displaySymbol, parameterTable } from "turnwise/plot";

describe("the table of parameters", () => {
  it("of the log-linear policy has the reference's 645 rows of ten weights, by feature", () => {
    const policy = toolChainPolicy(make("ToolChain-v0").spec, { beta: 2, seed: 0 });
    // 3 places, 16 observations, 10 tokens and the start: 3 + 3 x 16 + 3 x 11 + 3 x 16 x 11 + 3 x 11 = 645.
    assert.equal(
      parameterTable(policy)[displaySymbol]()["text/plain"],
      [
        "Parameters of the logLinear policy",
        "block                   shape     count",
        "place                   3 x 10    30",
        "observation             48 x 10   480",
        "previous                33 x 10   330",
        "observation x previous  528 x 10  5280",
        "last                    33 x 10   330",
        "all                               6450",
      ].join("\n"),
    );
  });

  const kinds: PolicyOptions[] = [
    {},
    { kind: "logLinear", perTurn: true },
    { kind: "mlp", width: 4 },
    { kind: "gru", width: 4 },
    { kind: "transformer", width: 4 },
  ];
  for (const options of kinds) {
    for (const valueHead of [false, true]) {
      it(`of a ${options.kind ?? "tabular"} policy${valueHead ? " with a value head" : ""} adds up to its parameters`, () => {
        const env = make("LookUp-v0");
        const policy = createPolicy(env.spec, { ...options, valueHead });
        collect(env, policy, { groups: 4, groupSize: 4, rng: createRng(1) });
        const rows = policy.parameterTable!();
        for (const { shape, count } of rows)
          assert.equal(
            shape.reduce((a, b) => a * b, 1),
            count,
          );
        assert.equal(
          rows.reduce((sum, { count }) => sum + count, 0),
          policy.parameters.length,
        );
        assert.equal(rows.at(-1)!.name === "value", valueHead);
      });
    }
  }

  it("refuses a policy that does not tell its parameters", () => {
    assert.throws(() => parameterTable({ name: "scripted" }), {
      name: "RangeError",
      message:
        "Cannot show the parameters of a scripted policy: it must have parameterTable, but it is missing.",
    });
  });
});
