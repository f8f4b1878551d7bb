// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { readNotebook, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { ledgerMime } from "turnwise/plot";
import { root } from "../support/paths.js";
import { unsupportedNumbers } from "./quotedNumbers";

/** Numbers that a lesson gives or works out in its text, so that no cell of that section shows them. */
const given: Readonly<Record<string, readonly string[]>> = {
  "00-start-here": ["216"],
  "01-grpo-from-scratch": ["0.12", "20%"],
  "02-impossibility-theorem": ["60%", "0.71", "1.2", "18"],
  "03-update-order-ablation": ["300", "100", "0.56"],
  "04-echo-trap": ["440", "480"],
  "05-off-policy-stability": ["24", "500"],
  "08-step-credit": ["64"],
  "10-language-model": ["4642"],
  // Also figures of the paper.
  "appendix/03-update-order-ablation": [
    ...["98%", "173", "1049", "1050", "1099", "8000", "8011"],
    ...["43.3", "54.6%", "24.1", "41.9%", "1.2", "1.9", "5.6"],
  ],
  "11-your-own-run": ["237", "60%", "100000"],
};

const folder = path.join(root, "notebooks");
const lessons = [
  ...readdirSync(folder).filter((name) => /^\d\d-.*\.ipynb$/.test(name)),
  // Its prose quotes the tables of the order study.
  "appendix/03-update-order-ablation.ipynb",
];

const made = (prose: string, measured: string): Notebook =>
  ({
    cells: [
      { cell_type: "markdown", id: "why", metadata: {}, source: prose },
      {
        cell_type: "code",
        id: "ledger",
        metadata: {},
        source: "ledger(claims.made);",
        outputs: [{ output_type: "execute_result", data: { [ledgerMime]: [{ measured }] }, metadata: {} }],
      },
    ],
    metadata: {},
  }) as unknown as Notebook;

describe("numbers in the prose of a lesson", () => {
  it("are found missing once the ledger has measured others", () => {
    const prose =
      "It ends at 0.84, in 35 of 100 runs, or 35%, after 4,800 steps (`0.99` in 2026).\n\n| 0.5 |\n";
    const unsupported = (measured: string): string[] =>
      unsupportedNumbers(made(prose, measured)).map(({ text }) => text);
    assert.deepEqual(unsupported("0.842 [0.797, 0.887], 35 of 100, 0.35, 4800 steps"), []);
    assert.deepEqual(unsupported("0.846 [0.797, 0.887], 36 of 100, 0.36, 4801 steps"), [
      "0.84",
      "35",
      "35%",
      "4800",
    ]);
  });

  for (const file of lessons) {
    const name = file.slice(0, -".ipynb".length);
    it(`${name}: each is in its ledger, or in a cell of its section, or given in the text`, () => {
      const unsupported = unsupportedNumbers(readNotebook(path.join(folder, file)));
      const own = given[name] ?? [];
      const stale = unsupported.filter(({ text }) => !own.includes(text));
      assert.deepEqual(stale, []);
      const idle = own.filter((number) => !unsupported.some(({ text }) => text === number));
      assert.deepEqual(idle, [], "no longer needed in the list of given numbers");
    });
  }
});
