// Uses internals of turnwise-kernel/runner.
import type { Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { ledgerMime } from "turnwise/plot";

/** A number in the prose of a notebook, as it is written: "0.842", "60%", "35" of "35 of 100". */
interface Quoted {
  readonly text: string;
  readonly cell: string;
  /** What stands around it, for a reader of the failure. */
  readonly around: string;
}

/** The prose of a section, and all that its cells say: their code, what they print, and the descriptions of their figures. */
interface Section {
  readonly prose: { readonly cell: string; readonly text: string }[];
  shown: string;
}

const joined = (text: unknown): string =>
  Array.isArray(text) ? text.join("") : typeof text === "string" ? text : "";

function sectionsOf({ cells }: Notebook): { readonly sections: readonly Section[]; readonly ledger: string } {
  const sections: Section[] = [{ prose: [], shown: "" }];
  let ledger = "";
  for (const { cell_type: type, id = "", source, outputs = [] } of cells) {
    if (type === "markdown") {
      const [before = "", ...headed] = source.split(/^(?=## )/m);
      sections.at(-1)!.prose.push({ cell: id, text: before });
      for (const text of headed) sections.push({ prose: [{ cell: id, text }], shown: "" });
      continue;
    }
    sections.at(-1)!.shown += source;
    for (const output of outputs) {
      const data: Readonly<Record<string, unknown>> = "data" in output ? output.data : {};
      sections.at(-1)!.shown +=
        ` ${joined(data["text/plain"])} ${"text" in output ? joined(output.text) : ""}`;
      if (ledgerMime in data) ledger += JSON.stringify(data[ledgerMime]);
    }
  }
  return { sections, ledger };
}

/** A run that others have reported: its numbers are theirs. */
const thread = /\]\(https:\/\/github\.com\/[^)]+\/(?:issues|pull|discussions)\/\d+\)/;

/**
 * Blanks out what quotes no result of ours: code, addresses, papers, formulas, tables worked by hand, the choices of a prediction, and
 * paragraphs about the runs of others.
 */
const plain = (text: string): string =>
  text
    .split(/\n\n/)
    .filter((paragraph) => !thread.test(paragraph))
    .join("\n\n")
    .replace(/^\|.*\|\s*$|^> ?- \([a-h]\).*$/gm, " ")
    .replace(/```[^]*?```|`[^`]*`|\]\([^)]*\)|\b\d{4}\.\d{4,5}\b|\$[^$]*\$/g, " ")
    .replace(/(?<=\d),(?=\d{3}\b)/g, "");

/** Decimals, percentages, counts "of" something, and numbers from 100 on that are no year. */
const quoted =
  /(?<![\w.])(?!(?:19|20)\d\d\b(?!%))(?:\d*\.\d+%?|\d+%|\d+(?= of \d)|(?<= of )\d+|\d{3,})(?![\d%]|\.\d)/g;

const numbersOf = (text: string): number[] =>
  [...text.matchAll(/(?<![\w.])\d*\.?\d+(?:e-?\d+)?/g)].map(([number]) => Number(number));

/** Whether a value is among the numbers, rounded to the digits that it is written with; a percentage may be a share. */
function isAmong(numbers: readonly number[], text: string): boolean {
  const value = Number(text.replace("%", ""));
  const digits = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  const near = (number: number): boolean =>
    digits === 0 && !text.endsWith("%")
      ? number === value
      : Math.abs(number - value) <= 0.5 * 10 ** -digits + 1e-9;
  return numbers.some((number) => near(number) || (text.endsWith("%") && near(100 * number)));
}

/**
 * The numbers in a notebook's prose that neither its ledger nor a cell of the same section shows. A number that was measured again and
 * now differs is among them, unless another number nearby happens to round to it.
 */
export function unsupportedNumbers(notebook: Notebook): readonly Quoted[] {
  const { sections, ledger } = sectionsOf(notebook);
  return sections.flatMap(({ prose, shown }) => {
    const numbers = numbersOf(`${shown} ${ledger}`);
    return prose.flatMap(({ cell, text }) => {
      const read = plain(text);
      return [...read.matchAll(quoted)]
        .filter(([number]) => !isAmong(numbers, number))
        .map(({ 0: number, index }) => ({
          text: number,
          cell,
          around: read.slice(Math.max(0, index - 40), index + 20).replace(/\s+/g, " "),
        }));
    });
  });
}
