// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { collect, createRng, make, train } from "turnwise";
import { claims } from "turnwise-course";
import { grpoArms } from "turnwise-course/grpo-from-scratch";
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
/** The title of a chart. */
const titleOf = (id: string): string => {
  const [output] = notebook.cells.find((cell) => cell.id === id)!.outputs!;
  const { data } = output as { data: Record<string, { title: { text: string } }> };
  return data["application/vnd.vegalite.v5+json"]!.title.text;
};
const mean = (values: number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const learned = (values: number[]): number => values.filter((value) => value > 0.9).length;

describe("the lesson that writes GRPO by hand", () => {
  it("repeats train() to the last digit, in every update of every seed", () => {
    assert.match(shown("same"), /largest difference of 1000 returns: 0\n/);
  });

  it("shows five tries that look up, which average 0 by one winner, and three guesses that are wrong", () => {
    const tries = shown("tries").split(/\n {2}(?=\d, return)/).slice(1); // prettier-ignore
    assert.equal(tries.length, 8);
    const returns = (kind: RegExp): number[] =>
      tries
        .filter((one) => kind.test(one))
        .map((one) => Number(/return (\S+)/.exec(one)![1]!.replace("−", "-")));
    assert.deepEqual(returns(/turn 1: \([^)]*\) LOOKUP/), [1, -0.33, -0.33, -0.33, 0]);
    assert.deepEqual(returns(/turn 1: \([^)]*\) ANSWER/), [-0.33, -0.33, -0.33]);
    assert.match(tries[7]!, /LOOKUP 2[^]*LOOKUP 3/);
    // "One of five": of those that look up, only one answers with the fact.
    const read = tries.filter((one) => /the fact is (\d)\) ANSWER \1 /.test(one));
    assert.equal(read.length, 1);
    assert.match(shown("spread-picture"), /8, return 0\n[^]*LOOKUP\[\+0\.27\]/);
  });

  it("shows REINFORCE that learns, a bonus that stops it, and a baseline that is deaf to the bonus", () => {
    assert.equal(learned(ends("baseline", "reward")), 10);
    // "Fewer than half: two. Three others end at 0, and even the bonus of 1 ruins one."
    const bonus = ends("baseline", "reward + 3");
    assert.deepEqual([learned(bonus), bonus.filter((end) => end === 0).length], [2, 3]);
    assert.equal(ends("baseline", "reward + 1").filter((end) => end === 0).length, 1);
    assert.deepEqual(ends("baseline", "reward + 3 − mean"), ends("baseline", "reward − mean"));
    const tries = [...shown("stuck").matchAll(/\) (\S+ \S+) {2}reward/g)].map(([, words]) => words);
    assert.equal(tries.length, 8);
    assert.equal(new Set(tries).size, 1);
  });

  it("shows a clip that fixes what sixteen passes break, and a ratio that does not", () => {
    assert.equal(learned(ends("reuse-run", "ratio and clip")), 10);
    const alone = ends("reuse-run", "ratio alone");
    assert.deepEqual([alone.filter((end) => end < 0.01).length, learned(alone)], [6, 4]);
    const none = ends("reuse-run", "no ratio");
    assert.ok(none.filter((end) => end === 0.75).length > 5);
    assert.ok(mean(alone) < mean(none));
    // "rose to 78% at first; in the end it is at 1%"
    assert.match(prose("reuse-why"), /rose to 78%[^.]* at 1%/);
    assert.match(shown("passes"), /LOOKUP, no clip: 0\.78 after pass 5, 0\.01 after pass 16/);
    assert.match(shown("passes"), /\. 0, no clip goes from 0\.023 at 0 to 0\.972 at 16/);
    // "It is not a wall: [...] `0` still rises, here from 2% to 5%"
    assert.match(prose("reuse-why"), /from 2% to 5%/);
    assert.match(shown("passes"), /\. 0, clip goes from 0\.023 at 0 to 0\.047 at 16/);
  });

  it("says what most seeds do without a ratio: they answer three facts, and at the fourth, they look up again", async () => {
    const setting = { env: "LookUp-v0", policy: { syntaxPrior: 3 }, updates: 100, seed: 0 } as const;
    const run = train({ ...setting, recipe: grpoArms["16 passes"] });
    for await (const { update } of run) if (update === setting.updates) break;
    const world = make("LookUp-v0");
    const tries = collect(world, run.policy, { groups: 100, groupSize: 1, rng: createRng(0) });
    const [, turns, tokens] = tries.shape;
    const lost = Array.from(tries.return_n.keys()).filter((n) => tries.return_n[n] !== 1);
    assert.equal(new Set(lost.map((n) => tries.observation_nt[n]![1])).size, 1, "one fact");
    for (const n of lost) {
      const tool = tries.token_ntl[(n * turns + 1) * tokens]!;
      assert.equal(world.spec.vocabulary[tool], "LOOKUP");
    }
  });

  it("shows a lookup that the group blames and the critic praises", () => {
    const last = (id: string): string => shown(id).split("\n  8, ")[1]!;
    assert.match(last("group-picture"), /LOOKUP\[−0\.94\]/);
    // V(question) = (4 - 4 / 3) / 8 = 1/3 and V(fact) = (3 - 1/3) / 4 = 2/3, but for the running average.
    const [, praise, blame] = /LOOKUP\[\+(\S+?)\][^]*ANSWER\[−(\S+?)\]/.exec(last("critic-picture"))!;
    assert.ok(Math.abs(Number(praise) - 1 / 3) < 0.05);
    assert.ok(Math.abs(Number(blame) - 1) < 0.05);
    // "As much praise as in the tries that won"
    const all = [...shown("critic-picture").matchAll(/LOOKUP\[(\S+?)\]/g)].map(([, given]) => given);
    assert.deepEqual(all, [`+${praise!}`, `+${praise!}`, `+${praise!}`, `+${praise!}`]);
  });

  it("shows λ = 0 later than λ = 1, unless its critic sees the whole history", () => {
    const found = /\(grpo\), (\d+) \(λ = 0\), (\d+) \(λ = 1\), (\d+) \(λ = 0, history\)/.exec(
      titleOf("ppo"),
    )!;
    const [, zero, one, history] = Array.from(found, Number);
    assert.ok(zero! > 1.5 * one!);
    assert.ok(Math.abs(history! - one!) < 3);
  });

  it("measures exactly 0 where the mean takes the bonus away from every seed alike", () => {
    const row = claims.grpo.find(({ claim }) => claim.startsWith("With a baseline"))!;
    assert.match(row.measured, /: 0\.000 \[0\.000, 0\.000\], 40 seeds$/);
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
    assert.match(prose("reuse-surprise"), /0\.19 below no ratio[^.]*nearly touches 0/);
    const ratio = claims.grpo.find(({ claim }) => claim.startsWith("The ratio"))!;
    assert.match(ratio.measured, /-0\.188 \[\S+, -0\.00\d\]/);
    assert.equal(verdicts["The clip makes it safe"], "holds");
    assert.equal(verdicts["Dividing by the spread is better than taking steps twice as long"], "not shown");
  });
});
