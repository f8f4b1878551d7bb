// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { claims } from "turnwise-course";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { root } from "../support/paths.js";
import { storedLedger } from "./storedLedger";

const notebook = readNotebook(path.join(root, "notebooks", "01-grpo-from-scratch.ipynb"));

/** What a cell shows, as text. */
const shown = (id: string): string =>
  (notebook.cells.find((cell) => cell.id === id)?.outputs ?? [])
    .map((output) =>
      "data" in output ? String(output.data["text/plain"]) : "text" in output ? output.text : "",
    )
    .join("\n");

const prose = (id: string): string => notebook.cells.find((cell) => cell.id === id)!.source;
/** Returns of a row of `drawEnds`. */
const ends = (id: string, row: string): number[] =>
  shown(id)
    .split("\n")
    .find((line) => line.startsWith(`  ${row}: `))!
    .slice(row.length + 4)
    .split(", ")
    .map(Number);
const learned = (values: number[]): number => values.filter((value) => value > 0.9).length;

describe("the lesson that writes GRPO by hand", () => {
  it("repeats train() to the last digit, in every update of every seed", () => {
    assert.match(shown("same"), /largest difference of 1000 returns: 0\n/);
  });

  it("shows four tries that look up and answer, and earn 0 in all", () => {
    const tries = shown("tries").split(/\n {2}(?=\d, return)/).slice(1); // prettier-ignore
    assert.equal(tries.length, 8);
    const answered = tries.filter((one) => /LOOKUP[^]*ANSWER/.test(one));
    const returns = answered.map((one) => Number(/return (\S+)/.exec(one)![1]!.replace("−", "-")));
    assert.deepEqual(returns, [1, -0.33, -0.33, -0.33]);
    assert.match(tries[7]!, /LOOKUP 2[^]*LOOKUP 3/);
    assert.match(shown("spread-picture"), /8, return 0\n[^]*LOOKUP\[\+0\.27\]/);
  });

  it("shows REINFORCE that learns, a bonus that stops it, and a baseline that is deaf to the bonus", () => {
    assert.equal(learned(ends("baseline", "reward")), 10);
    assert.ok(learned(ends("baseline", "reward + 3")) < 5);
    assert.deepEqual(ends("baseline", "reward + 3 − mean"), ends("baseline", "reward − mean"));
    const tries = [...shown("stuck").matchAll(/\) (\S+ \S+) {2}reward/g)].map(([, words]) => words);
    assert.equal(tries.length, 8);
    assert.equal(new Set(tries).size, 1);
  });

  it("shows a clip that fixes what sixteen passes break, and a ratio that does not", () => {
    assert.equal(learned(ends("reuse-run", "ratio and clip")), 10);
    assert.ok(learned(ends("reuse-run", "ratio alone")) < 6);
    assert.ok(learned(ends("reuse-run", "no ratio")) < 6);
    // "fifty times rarer": .02 of what it was; with the clip it stays between the dashes.
    assert.match(prose("reuse-why"), /fifty times rarer/);
    const [first] = [...shown("ratios").matchAll(/LOOKUP\[−\S+ x(\S+?)!?\]/g)];
    assert.equal(first![1], "0.02");
    // "the ratio grows": the word `0`, which is praised, without the clip and with it.
    const zeros = [...shown("ratios").matchAll(/\) 0\[\+0\.94 x(\S+?)!\]/g)].map(([, ratio]) =>
      Number(ratio),
    );
    assert.equal(zeros.length, 2);
    assert.ok(zeros[0]! > 40 && zeros[1]! < 3);
  });

  it("shows a lookup that the group blames and the critic praises", () => {
    const last = (id: string): string => shown(id).split("\n  8, ")[1]!;
    assert.match(last("group-picture"), /LOOKUP\[−0\.94\]/);
    // V(question) = (4 - 4 / 3) / 8 = 1/3 and V(fact) = (3 - 1/3) / 4 = 2/3, but for the running average.
    const [, praise, blame] = /LOOKUP\[\+(\S+?)\][^]*ANSWER\[−(\S+?)\]/.exec(last("critic-picture"))!;
    assert.ok(Math.abs(Number(praise) - 1 / 3) < 0.05);
    assert.ok(Math.abs(Number(blame) - 1) < 0.05);
  });

  it("shows λ = 0 below λ = 1 at the end", () => {
    const [, zero, one] = /λ = 0 ends at (\S+) .*λ = 1 ends at (\S+) /.exec(shown("ppo"))!;
    assert.ok(Number(zero) < Number(one));
  });

  it("shows the ledger that the stored runs decide", () => {
    const told = storedLedger("01-grpo-from-scratch").map((row) => [
      row.claim,
      row.measured,
      String(row.verdict),
    ]);
    assert.deepEqual(
      told,
      claims.grpo.map((row) => [row.claim, row.measured, String(row.verdict)]),
    );
  });

  it("reports each claim in its prose what the ledger decides", () => {
    const verdicts = Object.fromEntries(claims.grpo.map((row) => [row.claim, String(row.verdict)]));
    assert.equal(verdicts["The ratio makes it safe to use a batch sixteen times"], "not shown");
    assert.equal(verdicts["The clip makes it safe"], "holds");
    assert.equal(verdicts["Dividing by the spread is better than taking steps twice as long"], "not shown");
  });
});
