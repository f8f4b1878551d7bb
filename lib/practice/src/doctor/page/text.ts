import { printable } from "../../logs/plainName";
import type { Code } from "../../watch/codes";
import type { ReportParts } from "../parts";
import { headlineOf } from "./headline";
import { sectionsOf } from "./sections";

const WIDTH = 100;

/** The page for a terminal. */
export function textOf(parts: ReportParts, code: Code): string {
  const lines = [...wrapped(headlineOf(parts, code), "", "")];
  for (const { title, lines: own } of sectionsOf(parts)) {
    lines.push("", ...wrapped(title, "", "  "));
    const terms = own.flatMap((line) => (typeof line === "string" ? [] : [line[0].length]));
    const column = Math.min(22, Math.max(0, ...terms));
    for (const line of own) {
      if (typeof line === "string") lines.push(...wrapped(line, "  ", "  "));
      else {
        const indent = " ".repeat(column + 4);
        const [term, text] = line;
        if (term.length > column) lines.push(...wrapped(term, "  ", "  "), ...wrapped(text, indent, indent));
        else lines.push(...wrapped(text, `  ${term.padEnd(column)}  `, indent));
      }
    }
  }
  return lines.join("\n");
}

/** A text in lines of at most 100 characters; a word that is longer is cut. */
export function wrapped(text: string, first: string, rest: string): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of printable(text)
    .split(/\s+/)
    .filter((one) => one !== "")) {
    let left = word;
    if (!isEmpty && line.length + 1 + left.length > WIDTH) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    while (line.length + (isEmpty ? 0 : 1) + left.length > WIDTH) {
      const room = WIDTH - line.length;
      lines.push(line + left.slice(0, room));
      left = left.slice(room);
      line = rest;
    }
    line += (isEmpty ? "" : " ") + left;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
