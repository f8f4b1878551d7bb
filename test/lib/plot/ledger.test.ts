import assert from "node:assert/strict";
import { displaySymbol, ledgerMime } from "turnwise/plot";
import { ledger, toDataFrame, type Claim } from "turnwise";
import { exactly, share, verdict, type Setting, type Verdict } from "turnwise/verdict";

describe("ledger()", () => {
  const row = (decided: Verdict): Claim => ({
    claim: "a < b",
    source: "this notebook",
    measured: "0.5",
    verdict: decided,
  });

  it("shows claims with their verdict, escaped, and as data for tests", () => {
    const conditions = [1, 2].map((x) => ({ setting: { x }, effect: share(x === 1 ? 20 : 9, 20, 0.5) }));
    const decided = verdict({ conditions, smallestEffectOfInterest: 0.1 });
    const bundle = ledger([row(decided)])[displaySymbol]();
    const html = String(bundle["text/html"]);
    assert.match(html, /a &#60; b/);
    assert.match(html, /<strong>◐ holds if x = 1 of {1, 2}<\/strong><br><small>Holm over 2<\/small>/);
    assert.equal(
      bundle["text/plain"],
      "[holds if x = 1 of {1, 2}; Holm over 2] a < b (this notebook). Measured: 0.5",
    );
    const { claim, source, measured } = row(decided);
    const { text, reason, family } = decided;
    assert.deepEqual(bundle[ledgerMime], [{ claim, source, measured, verdict: text, reason, family }]);
  });

  it("shows how each was decided on a click and under the pointer, a line for each setting", () => {
    const decided = verdict({
      conditions: [1, 2].map((x) => ({ setting: { x }, found: x, searched: 3 })),
    });
    const html = String(ledger([row(decided)])[displaySymbol]()["text/html"]);
    assert.ok(
      html.includes(`<details style="min-width:11em;max-width:36em" title="${decided.reason}">`),
      html,
    );
    assert.ok(html.includes("<small>x = 1: holds, 1 found in 3<br>x = 2: holds, 2 found in 3</small>"), html);
  });

  it("counts settings that would fill lines, and names them all on a click", () => {
    const shown = (settings: readonly Setting[], held: number): string => {
      const conditions = settings.map((setting, i) => ({ setting, found: i < held ? 1 : 0, searched: 1 }));
      const decided = verdict({ conditions });
      const html = String(ledger([row(decided)])[displaySymbol]()["text/html"]);
      const [, words, details] = /<strong>◐ (.+)<\/strong>.*<small>(.+)<\/small>/.exec(html)!;
      assert.ok(details!.startsWith(`${decided.text.replaceAll("; ", "<br>")}<br>`), details);
      return words!;
    };
    const worlds = ["LookUp-v0", "Calculator-v0", "Codebreaker-v0", "MemoryDesk-v0"];
    const byWorld = worlds.map((world) => ({ world }));
    assert.equal(shown(byWorld, 1), "holds if world = LookUp-v0 (of 4 tried)");
    assert.equal(shown(byWorld, 3), "holds in 3 of 4 settings");
    const grid = [1, 2, 3, 4, 5].map((i) => ({ steps: i, learningRate: (i * i) % 5, world: worlds[i % 2]! }));
    assert.equal(shown(grid, 2), "holds in 2 of 5 settings");
  });

  it("marks each kind of verdict with a sign of its own", () => {
    const kinds = {
      "✓ holds": verdict({ equal: 1, of: 1 }),
      "✗ refuted": verdict({ equal: 0, of: 1 }),
      "? not shown": verdict({ found: 0, searched: 1 }),
      "? too few seeds": verdict({ effect: share(1, 1), smallestEffectOfInterest: 0 }),
      "≈ no effect that matters": verdict({ effect: exactly(0), smallestEffectOfInterest: 0.1 }),
    };
    for (const [words, decided] of Object.entries(kinds)) {
      const html = String(ledger([row(decided)])[displaySymbol]()["text/html"]);
      assert.ok(html.includes(`<strong>${words}</strong>`), html);
    }
  });

  it("refuses a verdict that was written by hand", () => {
    for (const written of ["holds", { ...verdict({ equal: 1, of: 1 }) }]) {
      assert.throws(() => ledger([row(written as Verdict)]), {
        name: "TypeError",
        message:
          'Cannot enter "a < b" in the ledger: its verdict must be decided by verdict() of turnwise/verdict, got ' +
          (typeof written === "string" ? '"holds".' : "an object."),
      });
    }
    assert.throws(() => ledger([]), /must hold a claim, got none/);
  });

  it("takes no literal where types are checked", () => {
    // @ts-expect-error a string is not a verdict
    const written: Claim = { claim: "c", source: "s", measured: "m", verdict: "holds" };
    // @ts-expect-error nor is an object that looks like one
    const alike: Claim = { ...written, verdict: { ...verdict({ equal: 1, of: 1 }) } };
    assert.equal(alike.claim, "c");
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
        'Cannot make a data frame: every column must be in the records, but "reward" is not among ' +
        "update, reward/mean, policy/entropy.",
    });
    await assert.rejects(toDataFrame([]), /must be at least one record/);
  });
});
