// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readNotebook, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { ledgerMime } from "turnwise/plot";
import { root } from "../support/paths.js";

const folder = path.join(root, "notebooks");
const lessons = fs.readdirSync(folder).filter((name) => /^\d\d-.*\.ipynb$/.test(name));
const everyNotebook = [
  ...lessons,
  ...fs
    .readdirSync(path.join(folder, "appendix"))
    .filter((name) => name.endsWith(".ipynb"))
    .map((name) => `appendix/${name}`),
];
const open = (file: string): Notebook => readNotebook(path.join(folder, file));

/** The text between two headings of the second level, by its number. */
function sectionOf({ cells }: Notebook, number: number): string {
  const text = cells.flatMap((cell) => (cell.cell_type === "markdown" ? [cell.source] : [])).join("\n\n");
  const found = text.split(/^## /m).find((section) => section.startsWith(`${String(number)}. `));
  assert.ok(found !== undefined, `no section ${String(number)}`);
  return found;
}

interface Row {
  readonly claim: string;
  readonly verdict: string;
}

const outputsOf = ({ cells }: Notebook): Readonly<Record<string, unknown>>[] =>
  cells.flatMap(({ outputs = [] }) => outputs).map((output) => ("data" in output ? output.data : {}));
const ledgerOf = (notebook: Notebook): Row[] =>
  outputsOf(notebook).flatMap((data) => (data[ledgerMime] ?? []) as Row[]);

describe("what a lesson promises", () => {
  it("derives the policy gradient before it uses that a shared push changes nothing", () => {
    const section = sectionOf(open("01-grpo-from-scratch.ipynb"), 2);
    const theorem = section.indexOf(String.raw`\nabla J = \sum_\tau R(\tau)\,\nabla \pi(\tau)`);
    const lemma = section.indexOf(String.raw`= \nabla 1 = 0`);
    assert.ok(
      theorem > 0 && theorem < lemma,
      `the theorem at ${String(theorem)}, the lemma at ${String(lemma)}`,
    );
    assert.match(section, /\*reward to go\*/);
    // A loss that is made for its slope is no measure of progress.
    assert.match(section, /says nothing about progress/);
  });

  for (const file of lessons) {
    const notebook = open(file);
    const prose = notebook.cells
      .flatMap((cell) => (cell.cell_type === "markdown" ? [cell.source] : []))
      .join("\n\n");

    it(`${file}: leaves lines to write if it says that you write any`, () => {
      const isAsked = /\byou write (?:it|them)\b|\blines? of yours\b/i.test(prose);
      const code = notebook.cells.flatMap((cell) => (cell.cell_type === "code" ? [cell.source] : []));
      const left = code.filter((source) => /\/\/ Your line: return/.test(source)).length;
      assert.ok(!isAsked || left > 0, "every line is filled in");
    });

    it(`${file}: quotes a verdict only if its ledger has it`, () => {
      const verdicts = ledgerOf(notebook).map(({ verdict }) => verdict);
      for (const [, quoted] of prose.matchAll(/\*(not shown|refuted|holds|no effect that matters)\*/g))
        assert.ok(verdicts.includes(quoted!), `*${quoted!}* is none of: ${verdicts.join("; ")}`);
    });
  }

  // A figure shows a mean that rises or falls, and its claim is not decided: the section must say both.
  for (const [file, number, words] of [
    ["07-reward-signal.ipynb", 2, "Climbing the proxy costs true score"],
    ["08-step-credit.ipynb", 2, "Crediting single turns makes one batch point straighter"],
  ] as const)
    it(`${file}, section ${String(number)}: does not claim what the ledger leaves open`, () => {
      const notebook = open(file);
      const row = ledgerOf(notebook).find(({ claim }) => claim.startsWith(words));
      assert.ok(row, words);
      if (row.verdict === "holds") return;
      assert.ok(sectionOf(notebook, number).includes(`*${row.verdict}*`), `the ledger says: ${row.verdict}`);
    });

  for (const [file, number] of [
    ["04-echo-trap.ipynb", 1],
    ["10-language-model.ipynb", 6],
    ["11-your-own-run.ipynb", 2],
  ] as const)
    it(`${file}: says what a fall is in the section that counts falls`, () => {
      const { cells } = open(file);
      const text = sectionOf({ cells } as Notebook, number);
      const figures = outputsOf({ cells } as Notebook).map((data) => String(data["text/plain"] ?? ""));
      const isDefined = /below (?:three quarters|75 ?%) of its best/;
      assert.ok(
        isDefined.test(text.replace(/\s+/g, " ")) || figures.some((one) => isDefined.test(one)),
        "below three quarters of its best",
      );
    });

  for (const file of everyNotebook)
    it(`${file}: stores no chart without a curve`, () => {
      const isEmpty = outputsOf(open(file)).some((data) =>
        /No records yet/.test([data["text/html"], data["image/svg+xml"], data["text/plain"]].flat().join("")),
      );
      assert.ok(!isEmpty, "a chart says: No records yet");
    });
});
