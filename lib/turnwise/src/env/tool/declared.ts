import type { Rng } from "../../base/rng";
import { didYouMean } from "../../base/suggest";
import type { Action, EnvSpec, ToolParameter, ToolSpec, TurnPart } from "../env";

/** The arguments of a call by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A sentence lists at most this many words. */
const LISTED = 40;

/** The words and arguments of a tool's turn, in order. */
export function partsOf({ name, parameters, turn }: ToolSpec): readonly TurnPart[] {
  return turn ?? [name, ...parameters.map((parameter): TurnPart => ({ parameter: parameter.name }))];
}

/** A call in brief, such as `SEND <account> <amount>`. */
export function usageOf(tool: ToolSpec): string {
  const required = new Map(tool.parameters.map(({ name, required: must = true }) => [name, must]));
  return partsOf(tool)
    .map((part) => {
      if (typeof part === "string") return part;
      if ("filler" in part) return part.filler;
      return required.get(part.parameter) === false ? `[<${part.parameter}>]` : `<${part.parameter}>`;
    })
    .join(" ");
}

/** The words that an argument may be, as a sentence lists them: `most` of them at the most. */
export function valuesText({ values, words }: ToolParameter, most = LISTED): string {
  const listed = values.length > most ? [...values.slice(0, most), "..."] : values;
  if (!words) return `one of ${listed.join(", ")}`;
  const count = words[0] === words[1] ? `${words[0]}` : words.join(" to ");
  return `${count} of the words ${listed.join(", ")}`;
}

/** The text of an argument of several words as a regular expression; spaces between its words may be left out. */
export function patternOf({ values, words: [fewest, most] = [1, 1] }: ToolParameter): string {
  const word = `(?:${longestFirst(values)
    .map((value) => value.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("|")})`;
  return `^\\s*${word}(?:\\s*${word}){${Math.max(0, fewest - 1)},${most - 1}}\\s*$`;
}

const longestFirst = (values: readonly string[]): string[] =>
  [...values].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));

/** The words of an argument's text; undefined if it is not among those that are declared. */
function wordsOf({ values, words }: ToolParameter, text: string): readonly string[] | undefined {
  if (!words) return values.includes(text) ? [text] : undefined;
  const found: string[] = [];
  const known = longestFirst(values);
  for (let rest = text.trim(); rest !== "";) {
    const next = known.find((value) => rest.startsWith(value));
    if (next === undefined) return undefined;
    found.push(next);
    rest = rest.slice(next.length).trimStart();
  }
  return found.length >= words[0] && found.length <= words[1] ? found : undefined;
}

/** The turn that a call means, or a sentence about the first mistake in it. */
export function writeCall(
  spec: EnvSpec,
  tool: ToolSpec,
  given: Arguments,
): { readonly action: Action } | { readonly unread: string } {
  const { name, parameters } = tool;
  const known = parameters.map((parameter) => parameter.name);
  const strange = Object.keys(given).find((key) => !known.includes(key));
  if (strange !== undefined) {
    const may = known.length === 0 ? "no arguments" : `only ${known.join(", ")}`;
    return {
      unread: `${name} must have ${may}, got ${strange.slice(0, LISTED)}.${didYouMean(strange.slice(0, LISTED), known)}`,
    };
  }
  const words: string[] = [];
  let left: string | undefined;
  for (const part of partsOf(tool)) {
    if (typeof part === "string" || "filler" in part) {
      words.push(typeof part === "string" ? part : part.filler);
      continue;
    }
    const parameter = parameters.find((other) => other.name === part.parameter)!;
    const value = given[parameter.name];
    if (value === undefined) {
      if (parameter.required !== false) {
        return { unread: `${name} must have ${parameter.name}, ${valuesText(parameter)}, got none.` };
      }
      left ??= parameter.name;
      continue;
    }
    if (left !== undefined)
      return { unread: `${name} must have ${left} before ${parameter.name}, got none.` };
    const text = typeof value === "string" || typeof value === "number" ? String(value) : undefined;
    const read = text === undefined ? undefined : wordsOf(parameter, text);
    if (!read) {
      const got = text ?? JSON.stringify(value) ?? typeof value;
      const short = got.length > LISTED ? `${got.slice(0, LISTED)}...` : got;
      return {
        unread: `${parameter.name} of ${name} must be ${valuesText(parameter)}, got ${short}.${didYouMean(short, parameter.values)}`,
      };
    }
    words.push(...read);
  }
  const { vocabulary, endToken, maxTokens } = spec;
  const action = words.map((word) => vocabulary.indexOf(word));
  const isOpen = endToken !== undefined && action.length < maxTokens && action.at(-1) !== endToken;
  return { action: isOpen ? [...action, endToken] : action };
}

/** The calls of a tool: all of them, or, of more than `most`, every value of every argument and otherwise drawn ones. */
export function callsOf(tool: ToolSpec, most: number, rng: Rng): Arguments[] {
  const choices = tool.parameters.map((parameter) => textsOf(parameter, most, rng));
  const all = choices.reduce((product, texts) => product * texts.length, 1);
  const name = (i: number): string => tool.parameters[i]!.name;
  if (all <= most && tool.parameters.every(isListed)) {
    return choices.reduce<Arguments[]>(
      (calls, texts, i) => calls.flatMap((call) => texts.map((text) => ({ ...call, [name(i)]: text }))),
      [{}],
    );
  }
  const count = Math.max(most, ...choices.map((texts) => texts.length));
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(
      choices.map((texts, i) => [name(i), texts[at < texts.length ? at : rng.below(texts.length)]!]),
    ),
  );
}

const isListed = ({ words }: ToolParameter): boolean => !words || words[1] === 1;

/** Some texts of an argument: every one where it is a single word, else drawn ones in which each word occurs. */
function textsOf({ values, words }: ToolParameter, most: number, rng: Rng): readonly string[] {
  if (!words) return values;
  const [fewest, longest] = words;
  return Array.from({ length: Math.max(values.length, most) }, (_, at) => {
    const length = fewest + (at % (longest - fewest + 1));
    const rest = Array.from({ length: Math.max(0, length - 1) }, () => values[rng.below(values.length)]!);
    return [values[at % values.length]!, ...rest].join(" ");
  });
}

/** Whether a turn begins with a call that is declared; what follows the call does not count. */
export function isDeclared(spec: EnvSpec, action: Action): boolean {
  const words = wordsIn(spec, action);
  return (spec.tools ?? []).some((tool) => follows(tool, partsOf(tool), words));
}

/** Whether a turn begins with the words before a tool's first argument, as a call with wrong arguments does. */
export function isMeant(spec: EnvSpec, action: Action): boolean {
  return (spec.tools ?? []).some((tool) => {
    const parts = partsOf(tool);
    const first = parts.findIndex((part) => typeof part !== "string" && "parameter" in part);
    return first > 0 && follows(tool, parts.slice(0, first), wordsIn(spec, action));
  });
}

/** The words of a turn. Of the one that ends it only where nothing else is written: a tool may call it by its name. */
function wordsIn({ vocabulary, endToken }: EnvSpec, action: Action): readonly string[] {
  const end = action.length > 1 && action.at(-1) === endToken ? -1 : undefined;
  return action.slice(0, end).map((token) => vocabulary[token]!);
}

function follows(tool: ToolSpec, parts: readonly TurnPart[], words: readonly string[]): boolean {
  const [part, ...others] = parts;
  if (part === undefined) return true;
  const [word, ...rest] = words;
  if (typeof part === "string") return word === part && follows(tool, others, rest);
  if ("filler" in part) return word !== undefined && follows(tool, others, rest);
  const {
    values,
    words: [fewest, most] = [1, 1],
    required = true,
  } = tool.parameters.find(({ name }) => name === part.parameter)!;
  if (!required && word === undefined) return true;
  for (let length = 1; length <= Math.min(most, words.length); length++) {
    if (!values.includes(words[length - 1]!)) return false;
    if (length >= fewest && follows(tool, others, words.slice(length))) return true;
  }
  return false;
}
