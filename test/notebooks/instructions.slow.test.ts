// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import type { MimeBundle } from "turnwise-kernel";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { patient } from "../support/patient.js";
import { budgetMs, folder } from "./committedNotebooks.js";
import { sharedKernel } from "./sharedKernel.js";

type Edit = readonly [cell: string, from: string, to: string];

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

  /** What the cells of a lesson show as text, by their ids, when its reader changes what a lesson or a teacher's note says. */
  const changed = async (
    lesson: string,
    ids: readonly string[],
    edits: readonly Edit[],
  ): Promise<Map<string, string>> => {
    const notebook = readNotebook(path.join(folder, `${lesson}.ipynb`));
    const cells = ids.map((id) => {
      const cell = notebook.cells.find((one) => one.id === id);
      assert.ok(cell, `${lesson} has no cell ${id}`);
      let { source } = cell;
      for (const [at, from, to] of edits) {
        if (at !== id) continue;
        assert.ok(source.includes(from), `${lesson}, ${id}: ${from}`);
        source = source.replace(from, to);
      }
      return { ...cell, source };
    });
    const ran = await kernel.run({ ...notebook, cells }, { budgetMs });
    assert.deepEqual(ran.failures, []);
    return new Map(
      ran.notebook.cells.map(({ id, outputs = [] }) => [
        id!,
        outputs.map((one) => ("data" in one ? textOf(one.data) : "")).join("\n"),
      ]),
    );
  };

  describe("01, grpo from scratch", () => {
    const late = ["reuse", "weigh", "gae", "judge", "critic", "played", "lambda", "critic-picture"];
    const first = ["parameters", "tries", "push", "sizes", "learn", "pay", "reinforce"];

    it("with lambda 0 the lookup of the last try is praised, with lambda 1 it is not", async () => {
      const cells = [...first.slice(0, -2), ...late];
      const lookup = async (lambda: number): Promise<number> => {
        const edit: Edit = ["lambda", "lambda = 0", `lambda = ${String(lambda)}`];
        const text = (await changed("01-grpo-from-scratch", cells, [edit])).get("critic-picture")!;
        const [, credit] = /LOOKUP\[([+−][\d.]+)\]/.exec(text.slice(text.lastIndexOf("\n  8, ")))!;
        return Number(credit!.replace("−", "-"));
      };
      assert.ok((await lookup(0)) > 0);
      assert.ok((await lookup(1)) < 0);
    });

    it("with learningRate 1, no seed has arrived after 100 updates, and nine of ten with the bonus of 3 have after 400", async () => {
      const slower: Edit = ["push", "learningRate = 4", "learningRate = 1"];
      const only: Edit = ["bonus", '  reward: plain,\n  "reward + 1": everySeed(payBy(plus(1))),\n', ""];
      const after100 = (await changed("01-grpo-from-scratch", [...first, "bonus"], [slower])).get("bonus")!;
      for (const label of ["reward", "reward + 1", "reward + 3"])
        for (const end of numbersOf(after100, label)) assert.ok(end < 0.9, after100);
      const long: Edit = ["parameters", "updates = 100", "updates = 400"];
      const ran = await changed("01-grpo-from-scratch", [...first, "bonus"], [slower, only, long]);
      const after400 = numbersOf(ran.get("bonus")!, "reward + 3");
      assert.equal(after400.filter((end) => end > 0.9).length, 9, String(after400));
    });
  });

  describe("09, search", () => {
    const cells = ["01-loop", "02-knobs", "11-thinking", "21-imitate", "22-rounds"];
    const firstSearch = async (budget: number): Promise<number> => {
      const ran = await changed("09-search-and-world-models", cells, [
        ["02-knobs", "budget = 20", `budget = ${String(budget)}`],
        ["22-rounds", "round <= 4", "round <= 1"],
      ]);
      return Number(
        /search, rollouts by the student goes from (-?[\d.]+) at 1/.exec(ran.get("22-rounds")!)![1],
      );
    };

    it("the first search earns less with a budget of 5, and more with 60", async () => {
      const [five, sixty] = [await firstSearch(5), await firstSearch(60)];
      // What the lesson shows with 20.
      const twenty = 0.687;
      assert.ok(five < twenty && twenty < sixty, `${String(five)}, ${String(sixty)}`);
    });
  });

  describe("10, a small language model", () => {
    const cells = ["knobs", "demonstrations", "imitate", "reward", "own-loss", "own-run"];
    /** How far the two curves lie apart. */
    const gap = async (...edits: readonly Edit[]): Promise<number> => {
      const few: Edit = ["knobs", "updates = 300", "updates = 30"];
      const text = (await changed("10-language-model", cells, [few, ...edits])).get("own-run")!;
      return Number(/differ by at most (\S+)/.exec(text)![1]);
    };
    const clip = (low: string, high: string): Edit => ["own-loss", "0.8, 1.2", `${low}, ${high}`];

    it("a wider clip and no minimum change nothing, and a clip of .05 parts the curves", async () => {
      const noMinimum: Edit = [
        "own-loss",
        "tf.minimum(tf.mul(ratio, A), tf.mul(clipped, A))",
        "tf.mul(ratio, A)",
      ];
      assert.equal(await gap(clip("0.6", "1.4")), 0);
      assert.equal(await gap(noMinimum), 0);
      assert.ok((await gap(clip("0.95", "1.05"))) > 0.01);
    });
  });
});
