import { power } from "../../base/elementary/power";
import type { Action, ActionClass, EnvSpec, ToolSpec } from "../env";
import { usageOf } from "./declared";

/** Meaning of a turn, if it has one. */
export type Parsed = Call | Malformed;

export interface Call {
  readonly tool: string;
  readonly values: readonly string[];
}

export interface Malformed {
  readonly error: string;
  /** The tool that was meant, where the turn names one. */
  readonly tool?: string;
  /** An observation token that names the kind of error; by default the tool's token follows `error`. */
  readonly observed?: number;
}

/** The last token of a vocabulary; it ends a turn early. */
export const END = "END";

/** One form of a well-formed call: the words that may stand at each of its places. */
export type CallForm = readonly (readonly string[])[];

/** Above this many turns a grammar is not enumerated. */
const MAX_TURNS = 50_000;

/**
 * A vocabulary of tools, their arguments and END, and the calls that can be written in it.
 *
 * What follows a complete call is ignored, as by a parser that stops at the closing bracket.
 */
export class ToolGrammar {
  readonly vocabulary: readonly string[];
  /** Tokens of the longest call. */
  readonly longest: number;
  /** One form for each tool. */
  readonly forms: readonly CallForm[];
  readonly #tools: ReadonlyMap<string, ToolSpec>;
  readonly #token: ReadonlyMap<string, number>;

  /** @param tools each is called as `NAME argument ...`, one token each */
  constructor(readonly tools: readonly ToolSpec[]) {
    const values = tools.flatMap((tool) => tool.parameters.flatMap((parameter) => parameter.values));
    this.vocabulary = [...new Set([...tools.map(({ name }) => name), ...values, END])];
    this.longest = Math.max(...tools.map((tool) => 1 + tool.parameters.length));
    this.forms = tools.map(({ name, parameters }) => [[name], ...parameters.map(({ values: v }) => v)]);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#token = new Map(this.vocabulary.map((name, token) => [name, token]));
  }

  /** @throws {RangeError} if the name is not in the vocabulary */
  token(name: string): number {
    const token = this.#token.get(name);
    if (token === undefined) {
      throw new RangeError(`Cannot write a call: its words must be in the vocabulary, got "${name}".`);
    }
    return token;
  }

  parse(action: Action): Parsed {
    const [head, ...rest] = action.map((token) => this.vocabulary[token]!);
    const tool = this.#tools.get(head!);
    if (!tool) return { error: "a turn must start with a tool" };
    const complete = tool.parameters.every(({ values }, i) => values.includes(rest[i]!));
    if (!complete) return { error: `usage: ${usageOf(tool)}`, tool: tool.name };
    return { tool: tool.name, values: rest.slice(0, tool.parameters.length) };
  }
}

/**
 * The tokens that some well-formed call has at each place of a turn, ascending; END where one may be complete.
 *
 * It says what the format says and no more: that SEARCH is followed by an entity and not by a number.
 */
export function syntaxOf(
  forms: readonly CallForm[],
  vocabulary: readonly string[],
  maxTokens: number,
): readonly (readonly number[])[] {
  return Array.from({ length: maxTokens }, (_, place) => {
    const words = new Set(forms.flatMap((form) => form[place] ?? (place === form.length ? [END] : [])));
    return vocabulary.flatMap((word, token) => (words.has(word) ? [token] : []));
  });
}

/** The tokens of a turn from their names, ended by END where there is room. */
export function writeTurn(spec: EnvSpec, text: string): Action {
  const names = text.split(" ");
  const tokens = names.map((name) => {
    const token = spec.vocabulary.indexOf(name);
    if (token >= 0) return token;
    throw new RangeError(
      `Cannot write a turn for ${spec.id}: its words must be in the vocabulary, got "${name}".`,
    );
  });
  return tokens.length < spec.maxTokens && spec.endToken !== undefined ? [...tokens, spec.endToken] : tokens;
}

/**
 * All turns, grouped by what they say, with the share that the random agent writes of each; undefined when there
 * are too many turns to list.
 */
export function classesOfTurns(
  size: number,
  maxTokens: number,
  endToken: number,
  parse: (action: Action) => Parsed,
): readonly ActionClass[] | undefined {
  if (power(size, maxTokens) > MAX_TURNS) return undefined;
  const classes = new Map<string, { action: Action; share: number }>();
  const extend = (prefix: Action, share: number): void => {
    if (prefix.length === maxTokens || prefix.at(-1) === endToken) {
      const key = JSON.stringify(parse(prefix));
      const known = classes.get(key);
      if (!known) classes.set(key, { action: prefix, share });
      else {
        known.share += share;
        if (prefix.length < known.action.length) known.action = prefix;
      }
      return;
    }
    for (let token = 0; token < size; token++) extend([...prefix, token], share / size);
  };
  extend([], 1);
  return [...classes.values()];
}
