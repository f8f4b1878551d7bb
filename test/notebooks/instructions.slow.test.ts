// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import type { MimeBundle } from "turnwise-kernel";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { patient } from "../support/patient.js";
import { budgetMs, folder } from "./committedNotebooks.js";
import { sharedKernel } from "./sharedKernel.js";

/** A cell of a lesson by its id, and what its reader puts instead of what. */
type Step = readonly [cell: string, ...edits: (readonly [from: string, to: string])[]];

const unedited = (ids: readonly string[]): readonly Step[] => ids.map((id) => [id]);

/** A chart's subtitle belongs to what it says. */
function textOf(data: MimeBundle): string {
  const chart = Object.entries(data).find(([mime]) => mime.includes("vegalite"))?.[1];
  const { subtitle = "" } = (chart as { title?: { subtitle?: string } } | undefined)?.title ?? {};
  return `${String(data["text/plain"] ?? "")}\n${subtitle}`;
}

/** The numbers behind a label in a text. */
const numbersOf = (text: string, label: string): number[] => {
  const line = text.split("\n").find((one) => one.trim().startsWith(`${label}:`));
  return (line ?? "").split(":")[1]?.split(",").map(Number) ?? [];
};

describe("what a lesson or its teacher's notes tell to change does what they say", function () {
  this.timeout(patient(budgetMs) * 2);
  const kernel = sharedKernel({ cwd: folder });

  /** What cells of a lesson show as text when its reader runs them in this order, changed as a lesson or a teacher's note says. */
  const changed = async (lesson: string, steps: readonly Step[]): Promise<string[]> => {
    const notebook = readNotebook(path.join(folder, `${lesson}.ipynb`));
    const cells = steps.map(([id, ...edits], i) => {
      const cell = notebook.cells.find((one) => one.id === id);
      assert.ok(cell, `${lesson} has no cell ${id}`);
      let { source } = cell;
      for (const [from, to] of edits) {
        assert.ok(source.includes(from), `${lesson}, ${id}: ${from}`);
        source = source.replace(from, to);
      }
      return { ...cell, id: `${id}-${String(i)}`, source };
    });
    const ran = await kernel.run({ ...notebook, cells }, { budgetMs });
    assert.deepEqual(ran.failures, []);
    return ran.notebook.cells.map(({ outputs = [] }) =>
      outputs.map((one) => ("data" in one ? textOf(one.data) : "")).join("\n"),
    );
  };

  describe("01, grpo from scratch", () => {
    const late = [
      ...["center", "reuse", "weigh", "gae", "gae-loop", "judge"],
      ...["critic", "played", "lambda", "critic-picture"],
    ];
    const first = ["parameters", "tries", "push", "sizes", "learn", "pay", "reinforce"];

    it("with lambda 0 the lookup of the last try is praised, with lambda 1 it is not", async () => {
      const ran = await changed("01-grpo-from-scratch", [
        ...unedited([...first.slice(0, -2), ...late]),
        ["lambda", ["lambda = 0", "lambda = 1"]],
        ["critic-picture"],
      ]);
      const lookup = (text: string): number => {
        const [, credit] = /LOOKUP\[([+−][\d.]+)\]/.exec(text.slice(text.lastIndexOf("\n  8, ")))!;
        return Number(credit!.replace("−", "-"));
      };
      assert.ok(lookup(ran.at(-3)!) > 0);
      assert.ok(lookup(ran.at(-1)!) < 0);
    });

    it("with learningRate 1, no seed has arrived after 100 updates, and nine of ten with the bonus of 3 have after 400", async () => {
      const slower: Step = ["push", ["learningRate = 4", "learningRate = 1"]];
      const [after100, , after400] = (
        await changed("01-grpo-from-scratch", [
          ...unedited(first).map((step) => (step[0] === "push" ? slower : step)),
          ["bonus"],
          ["parameters", ["updates = 100", "updates = 400"]],
          ["bonus", ['  reward: plain,\n  "reward + 1": everySeed(payBy(plus(1))),\n', ""]],
        ])
      ).slice(-3) as [string, string, string];
      for (const label of ["reward", "reward + 1", "reward + 3"])
        for (const end of numbersOf(after100, label)) assert.ok(end < 0.9, after100);
      const ends = numbersOf(after400, "reward + 3");
      assert.equal(ends.filter((end) => end > 0.9).length, 9, String(ends));
    });
  });

  describe("07, the reward signal", () => {
    it("the smallest cost of a call makes the blind guess the proxy's best, and no cost leaves anything open", async () => {
      const cost = (value: string): Step => ["code-", ["callCost = 0.1", `callCost = ${value}`]];
      const [small, none] = await changed("07-reward-signal", [cost("0.001"), cost("0")]);
      assert.match(small!, /calls cost something: 0\.25 to 0\.25/);
      assert.match(none!, /calls cost something: 0\.00 to 1\.00/);
    });

    it("at a weight of 1 the penalty leaves the agents where they began", async () => {
      const [, , drawn] = await changed("07-reward-signal", [
        ["code-"],
        ["code-drawgoodhart-goodhart"],
        ["code-drawdistance-goodhart", ["weight = 0.1", "weight = 1"]],
      ]);
      const [, from, to] = /proxy and KL 1, exact goes from ([\d.]+) at \S+ to ([\d.]+) at/.exec(drawn!)!;
      assert.ok(Math.abs(Number(from) - Number(to)) < 0.01, `${from!} and ${to!}`);
    });
  });

  describe("08, step credit", () => {
    it("in trajectory 2 the call is worth more than the answer, and reading well leaves the cosine near .93", async () => {
      const [, credit, flipped] = await changed("08-step-credit", [
        ["the-example"],
        ["draw-credit-group", ["= example.trajectory", "= 2"]],
        ["draw-flip", ["[0, 1, 2, 3, 4]", "[0, 4, 8]"]],
      ]);
      const worth = (tool: string): number =>
        Number(new RegExp(`exact advantage, \\d: ${tool}: ([+-]\\d\\.\\d\\d)`).exec(credit!)![1]);
      assert.ok(worth("CALL") > worth("ANSWER"), credit!);
      assert.match(flipped!, /signs turned by verdicts goes from 0\.735 at 0 to 0\.93\d at 8/);
    });
  });

  describe("09, search", () => {
    it("the first search earns less with a budget of 5, and more with 60", async () => {
      const search = (budget: number): Step[] => [
        ["02-knobs", ["budget = 20", `budget = ${String(budget)}`]],
        ["11-thinking"],
        ["21-imitate"],
        ["22-rounds", ["round <= 4", "round <= 1"]],
      ];
      const ran = await changed("09-search-and-world-models", [["01-loop"], ...search(5), ...search(60)]);
      const earned = (text: string): number =>
        Number(/search, student's rollouts goes from (-?[\d.]+) at 1/.exec(text)![1]);
      const [five, sixty] = [earned(ran[4]!), earned(ran[8]!)];
      // What the lesson shows with 20.
      const twenty = 0.687;
      assert.ok(five < twenty && twenty < sixty, `${String(five)}, ${String(sixty)}`);
    });
  });

  describe("10, a small language model", () => {
    it("a wider clip and no minimum change nothing, and a clip of .05 parts the curves", async () => {
      const clip = (low: string, high: string): Step[] => [
        ["own-loss", ["0.8, 1.2", `${low}, ${high}`]],
        ["own-run"],
      ];
      const ran = await changed("10-language-model", [
        ["knobs", ["updates = 300", "updates = 30"]],
        ...unedited(["demonstrations", "imitate", "reward"]),
        ...clip("0.6", "1.4"),
        ["own-loss", ["tf.minimum(tf.mul(ratio, A), tf.mul(clipped, A))", "tf.mul(ratio, A)"]],
        ["own-run"],
        ...clip("0.95", "1.05"),
      ]);
      /** How far the two curves lie apart. */
      const gap = (text: string): number => Number(/differ by at most (\S+)/.exec(text)![1]);
      assert.equal(gap(ran[5]!), 0);
      assert.equal(gap(ran[7]!), 0);
      assert.ok(gap(ran[9]!) > 0.01);
    });
  });
});
