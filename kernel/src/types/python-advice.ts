// A file of its own, since it knows another language: what to write instead of a line or a name of Python's.

const condition = "if (condition) { ... } else { ... }";

/** Patterns of Python's lines, each with the TypeScript to write instead. */
const lines: readonly (readonly [line: RegExp, instead: string])[] = [
  [
    /^\s*import\s+[\w.]+(?:\s+as\s+\w+)?\s*(?:#.*)?$/,
    'import * as name from "package", after %install package, which asks npm',
  ],
  [/^\s*from\s+[\w.]+\s+import\s/, 'import { name } from "package", after %install package, which asks npm'],
  [/^\s*(?:async\s+)?def\s+\w+\s*\(/, "function name(x: number): number { ... }"],
  [/^\s*(?:async\s+)?for\s+[\w\s,()]+\s+in\s+.*:\s*(?:#.*)?$/, "for (const x of xs) { ... }"],
  [/^\s*while\s.*:\s*(?:#.*)?$/, "while (condition) { ... }"],
  [/^\s*(?:(?:if|elif)\s.*|else\s*):\s*(?:#.*)?$/, condition],
  [/^\s*(?:try\s*|except\b.*|finally\s*):\s*(?:#.*)?$/, "try { ... } catch (error) { ... }"],
  [/^\s*class\s+\w+\s*(?:\(.*\))?\s*:\s*(?:#.*)?$/, "class Name { ... }"],
  [/[[({].*\bfor\s+[\w\s,()]+\s+in\s+.*[\])}]/, "xs.map((x) => ...) or xs.filter((x) => ...)"],
  [/\blambda\b[\w\s,]*:/, "(x) => ..."],
  [/(?:^|[\s(=,[{])[frb]{1,2}(?:"[^"]*"|'[^']*')/i, "`text and ${value}`, between backticks"],
];

/** Advice for a line that is no TypeScript, if it is Python; undefined if not. */
export function pythonAdvice(line: string): string | undefined {
  const found = lines.find(([pattern]) => pattern.test(line));
  return found && `This looks like Python. In TypeScript: ${found[1]}`;
}

/** Replacements of names that Python, or one of its libraries as everyone imports it, has. */
export const namesOfPython: Readonly<Record<string, string>> = {
  print: "Write console.log(value), or the value as the last line of the cell",
  len: "Write xs.length",
  range: "Write Array.from({ length: n }, (_, i) => i), or a loop: for (let i = 0; i < n; i++)",
  str: "Write String(value)",
  True: "Write true",
  False: "Write false",
  None: "Write null",
  np: "Arrays have map, filter and reduce; packages of npm have more, such as %install mathjs",
  pd: "An array of objects is shown as a table; packages of npm have data frames, such as %install nodejs-polars",
  plt: 'A Vega-Lite specification is shown as a chart; with turnwise, import { lineChart } from "turnwise/plot"',
};
