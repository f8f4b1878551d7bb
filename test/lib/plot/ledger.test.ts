import assert from "node:assert/strict";
import { displaySymbol, ledger, ledgerMime, toDataFrame } from "turnwise/dist/plot";

describe("ledger()", () => {
  it("shows claims with their verdict, escaped, and as data for tests", () => {
    const row = {
      claim: "a < b",
      source: "this notebook",
      measured: "0.5",
      verdict: "holds only if a is small",
    } as const;
    const bundle = ledger([row])[displaySymbol]();
    assert.match(String(bundle["text/html"]), /a &#60; b/);
    assert.match(String(bundle["text/html"]), /◐ holds only if a is small/);
    assert.equal(bundle["text/plain"], "[holds only if a is small] a < b (this notebook). Measured: 0.5");
    assert.deepEqual(bundle[ledgerMime], [row]);
  });

  it("refuses a verdict that hedges in other words", () => {
    assert.throws(
      () => ledger([{ claim: "c", source: "s", measured: "m", verdict: "probably" as "holds" }]),
      {
        name: "RangeError",
        message:
          'Cannot enter "c" in the ledger as its verdict must be "holds", "holds only if ...", "not reproduced" ' +
          'or "not reproduced: ...": current value is "probably"',
      },
    );
    assert.throws(() => ledger([]), /must hold a claim: current length is 0/);
  });
});

describe("toDataFrame()", () => {
  const records = [
    { update: 1, note: "text is left out", metrics: { "reward/mean": 0.25 } },
    { update: 2, metrics: { "reward/mean": 0.5, "policy/entropy": 1 } },
  ];

  it("makes a column of every number and metric, NaN where a record has none", async () => {
    const frame = await toDataFrame(records);
    assert.deepEqual(frame.columns, ["update", "reward/mean", "policy/entropy"]);
    assert.deepEqual(frame.shape, [2, 3]);
    assert.equal(frame.column("reward/mean").mean(), 0.375);
    assert.ok(Number.isNaN(frame.column("policy/entropy").values[0]));
  });

  it("keeps the columns asked for and names those it knows when one is missing", async () => {
    assert.deepEqual((await toDataFrame(records, ["reward/mean", "update"])).columns, [
      "reward/mean",
      "update",
    ]);
    await assert.rejects(toDataFrame(records, ["reward"]), {
      name: "RangeError",
      message:
        'Cannot make a data frame as every column must be in the records: "reward" is not among ' +
        "update, reward/mean, policy/entropy",
    });
    await assert.rejects(toDataFrame([]), /must be at least one record/);
  });
});
