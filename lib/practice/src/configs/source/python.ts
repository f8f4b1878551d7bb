import type { Unresolved } from "./unresolved";

/** The arguments of a call, read as far as they are literals. */
export interface PythonArguments {
  readonly flags: Readonly<Record<string, unknown>>;
  /** Those that are expressions, or bring settings from elsewhere: `beta=0.5 * x`, `**kwargs`. */
  readonly unresolved: readonly Unresolved[];
}

/** The arguments that are passed to `GRPOConfig(...)` or `RLOOConfig(...)` in Python; undefined where neither is called. */
export function pythonArguments(text: string): PythonArguments | undefined {
  const call = callOf(text);
  if (call === undefined) return undefined;
  const flags: Record<string, unknown> = {};
  const unresolved: Unresolved[] = [];
  for (const { start, end } of argumentsFrom(text, call)) {
    const written = withoutComments(text.slice(start, end)).replace(/\s+/g, " ").trim();
    if (written === "") continue;
    const line = text.slice(0, shownFrom(text, start)).split("\n").length;
    const [, name, value] = /^([A-Za-z_]\w*) ?=(?!=) ?(.*)$/.exec(written) ?? [];
    const literal = name === undefined ? undefined : literalOf(value!);
    if (literal !== undefined) flags[name!] = literal;
    else {
      const shown = name === undefined ? written : `${name} = ${value!}`;
      unresolved.push({
        name: name ?? written,
        text: shown.length > 80 ? `${shown.slice(0, 79)}…` : shown,
        line,
      });
    }
  }
  return { flags, unresolved };
}

/** The packages that a program imports, and the names of what it passes to a trainer beside the configuration. */
export function pythonWords(text: string): string[] {
  const imported = [...text.matchAll(/^\s*(?:from|import)\s+([A-Za-z_]\w*)/gm)].map(([, name]) => name!);
  const call = /\b\w+Trainer\s*\(/.exec(text);
  const passed = call
    ? argumentsFrom(text, call.index + call[0].length).flatMap(({ start, end }) => {
        const name = /^\s*([A-Za-z_]\w*)\s*=(?!=)/.exec(withoutComments(text.slice(start, end)))?.[1];
        return name === undefined ? [] : [name];
      })
    : [];
  return [...new Set([...imported, ...passed])];
}

/** The place after the parenthesis of the first call that is neither in a comment nor in a text. */
function callOf(text: string): number | undefined {
  for (let i = 0; i < text.length; i = pastHidden(text, i)) {
    const found = /^(?:GRPO|RLOO)Config\s*\(/.exec(text.slice(i, i + 40));
    if (found && !/\w/.test(text[i - 1] ?? "")) return i + found[0].length;
  }
  return undefined;
}

/** The stretches between the commas of a call, of which the parenthesis has been opened. */
function argumentsFrom(text: string, from: number): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  let depth = 1;
  let start = from;
  let i = from;
  for (; i < text.length && depth > 0; i = pastHidden(text, i)) {
    const char = text[i]!;
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    if (depth > 0 && !(depth === 1 && char === ",")) continue;
    found.push({ start, end: i });
    start = i + 1;
  }
  return depth > 0 ? [...found, { start, end: text.length }] : found;
}

/** The next place, past a comment or a text that begins here. */
function pastHidden(text: string, at: number): number {
  if (text[at] === "#") return endOr(text, text.indexOf("\n", at));
  const quote = /^(?:"""|'''|"|')/.exec(text.slice(at, at + 3))?.[0];
  if (quote === undefined) return at + 1;
  for (let i = at + quote.length; i < text.length; i++) {
    if (text[i] === "\\") i += 1;
    else if (text.startsWith(quote, i)) return i + quote.length;
    else if (text[i] === "\n" && quote.length === 1) return i;
  }
  return text.length;
}

const endOr = (text: string, end: number): number => (end < 0 ? text.length : end);

/** The first place that is neither a blank nor in a comment. */
function shownFrom(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\s#]/.test(text[at]!)) at = text[at] === "#" ? pastHidden(text, at) : at + 1;
  return at;
}

function withoutComments(text: string): string {
  let plain = "";
  for (let i = 0; i < text.length;) {
    const next = pastHidden(text, i);
    if (text[i] !== "#") plain += text.slice(i, next);
    i = next;
  }
  return plain;
}

/** A number, a text, True, False, None, or a list of numbers or texts; undefined for all else. */
function literalOf(text: string): unknown {
  const quoted = /^(["'])((?:(?!\1)[^\\])*)\1$/.exec(text);
  if (quoted) return quoted[2];
  if (text === "None") return null;
  if (text === "True" || text === "False") return text === "True";
  const list = /^[[(](.*?),? ?[\])]$/.exec(text);
  if (list) {
    const items = list[1]!.trim() === "" ? [] : list[1]!.split(",").map((item) => literalOf(item.trim()));
    return items.some((item) => item === undefined) ? undefined : items;
  }
  const value = /^[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)
    ? Number(text.replace(/_/g, ""))
    : NaN;
  return Number.isNaN(value) ? undefined : value;
}
