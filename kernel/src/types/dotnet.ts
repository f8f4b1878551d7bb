import { topLevelNames } from "./names.js";
import { parse } from "./transform/parse.js";

/** A cell of .NET Interactive, as one of this kernel. */
export interface DotnetCell {
  readonly code: string;
  /** It is JavaScript, whatever the notebook is. */
  readonly javascript: boolean;
}

/** Languages of .NET Interactive whose cells a kernel of TypeScript cannot run. */
const otherLanguages: Record<string, string> = {
  csharp: "C#",
  "c#": "C#",
  cs: "C#",
  fsharp: "F#",
  "f#": "F#",
  fs: "F#",
  pwsh: "PowerShell",
  powershell: "PowerShell",
  sql: "SQL",
  kql: "KQL",
  mermaid: "Mermaid",
  python: "Python",
  r: "R",
  vscode: "commands of VS Code",
  http: "HTTP",
  value: "text",
};

/** Advice for the other magics. */
const instead: Record<string, string> = {
  set: "declare a variable: let name = value",
  share: "all cells share their variables, and there is nothing to share",
  import: 'a notebook cannot run another; keep shared code in a file, and import it from "./file"',
  connect: "import a client for it, after %install",
  log: "print with console.log",
  about: "%help describes this kernel",
  help: "%help describes the magics",
  "clear-output": "call clearOutput()",
};

const magicNames: Record<string, string> = {
  html: "html",
  markdown: "markdown",
  md: "markdown",
  time: "time",
};
const scripts = new Set(["js", "javascript"]);
const typed = new Set(["ts", "typescript"]);
const lineMagics = /^([ \t]*)#!(who|lsmagic)(s?)(?=[ \t]*$)/gm;
const first = /^(?:\s|\/\/[^\n]*\n)*?[ \t]*#!([A-Za-z][\w#-]*)[ \t]*([^\r\n]*)/;
const directive = /^[ \t]*#(r|i|load)[ \t]+"([^"\n]*)"/m;

/** Names by which JavaScript finds the page that shows it. */
const ofPage =
  /(?<![.\w$])(document|window|element|interactive|requirejs|alert|localStorage|customElements)(?![\w$])/g;

/**
 * Reads a cell with a magic of .NET Interactive, such as `#!html`; undefined for any other.
 *
 * @throws {RangeError} if there is no such magic here, with what to write instead
 */
export function dotnetCell(code: string): DotnetCell | undefined {
  if (!/^[ \t]*#[!ril]/m.test(code)) return undefined;
  // The line by which a shell starts a script means nothing here.
  const [shell] = /^#![ \t]*\/[^\r\n]*/.exec(code) ?? [];
  if (shell !== undefined)
    return { code: " ".repeat(shell.length) + code.slice(shell.length), javascript: false };
  refuseDirective(code);
  const found = first.exec(code);
  const [all, written, rest] = (found ?? []) as unknown as [string?, string?, string?];
  if (all === undefined || written === undefined || rest === undefined) return lines(code);
  const name = written.toLowerCase();
  if (lineMagics.test(`#!${name}`)) return lines(code);
  const start = all.slice(0, all.length - rest.length).lastIndexOf(`#!${written}`);
  const below = code.slice(all.length);
  refuseParts(code, written, all.length);
  const blank = code.slice(0, start) + " ".repeat(all.length - start) + below;
  if (typed.has(name)) return { code: blank, javascript: false };
  if (scripts.has(name)) {
    if (needsPage(below)) return { code: `${code.slice(0, start)}%%javascript${below}`, javascript: false };
    return { code: blank, javascript: true };
  }
  const magic = Object.hasOwn(magicNames, name) ? magicNames[name] : undefined;
  if (magic === undefined) throw refusal(written);
  return { code: `${code.slice(0, start)}%%${magic} ${rest}${below}`, javascript: false };
}

/** The magics of a line, which may stand anywhere: in the same place, with the same length. */
function lines(code: string): DotnetCell | undefined {
  const read = code.replace(lineMagics, (_, indent: string, name: string, s: string) =>
    `${indent}%${name}${" ".repeat(s.length + 1)}`.replace(/\s+$/, ""),
  );
  return read === code ? undefined : { code: read, javascript: false };
}

function refusal(written: string): RangeError {
  const name = written.toLowerCase();
  const language = Object.hasOwn(otherLanguages, name) ? otherLanguages[name] : undefined;
  if (language !== undefined) {
    return new RangeError(
      `Cannot run #!${written}: a cell must be TypeScript or JavaScript, but this one is ${language}. Write it in TypeScript, or run it in .NET Interactive.`,
    );
  }
  const advice = Object.hasOwn(instead, name) ? instead[name] : undefined;
  return new RangeError(
    advice === undefined
      ? `Cannot run #!${written}: there is no such magic. Of .NET Interactive's there are #!html, #!markdown, #!js, #!javascript, #!time, #!who and #!lsmagic; %help describes this kernel's.`
      : `Cannot run #!${written}: there is no such magic here. Instead, ${advice}.`,
  );
}

/** A second magic of its kind begins a part for another language, which would be a cell of its own here. */
function refuseParts(code: string, written: string, from: number): void {
  const kinds = [...Object.keys(magicNames), ...Object.keys(otherLanguages), ...scripts, ...typed];
  for (const { 1: other } of code.slice(from).matchAll(/^[ \t]*#!([A-Za-z][\w#-]*)[ \t]*$/gm)) {
    if (other === undefined || other === "time" || !kinds.includes(other.toLowerCase())) continue;
    throw new RangeError(
      `Cannot run the cell: it must be of one language, but it begins with #!${written} and goes on with #!${other}. Divide it into two cells.`,
    );
  }
}

function refuseDirective(code: string): void {
  const [, kind, what = ""] = directive.exec(code) ?? [];
  if (kind === undefined) return;
  const [, nuget] = /^nuget:\s*([\w.-]+)/.exec(what) ?? [];
  const advice =
    kind === "load"
      ? `import the file, from "./${what.replace(/^.*[\\/]/, "").replace(/\.\w+$/, "")}"`
      : `install a package of npm with %install; ${nuget ?? what} is one of .NET`;
  throw new RangeError(`Cannot run #${kind}: a cell must be TypeScript or JavaScript. Instead, ${advice}.`);
}

/** Whether JavaScript is meant for the page: it names what only a page has, and declares none of that. */
function needsPage(code: string): boolean {
  const names = new Set([...code.matchAll(ofPage)].map((match) => match[1]!));
  if (names.size === 0) return false;
  const own = topLevelNames(parse(code, "cell.ts"));
  return [...names].some((name) => !own.has(name));
}
