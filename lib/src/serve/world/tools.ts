import { didYouMean } from "../../base/suggest";
import type { EnvSpec } from "../../env/env";
import { ActionSpace } from "../../env/space";
import type { Read, TurnReader } from "./turnReader";

/** A tool as MCP lists it. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What a call of a tool means as a turn; what is wrong with it has OpenEnv's name for the mistake. */
export type ToolTurn = Read & { readonly mistake?: "tool_not_found" | "invalid_args" };

/** Names that OpenEnv keeps for itself. */
const reserved = ["reset", "step", "state", "close"];
const nameable = /^[A-Za-z0-9_-]{1,64}$/;

interface Tool extends McpTool {
  /** The word that a turn begins with; undefined where the whole turn is the text of one argument. */
  readonly word?: number;
  readonly places: readonly Place[];
}

interface Place {
  readonly name: string;
  readonly tokens: ReadonlyMap<string, number>;
  readonly optional: boolean;
}

/**
 * A world's turns as tools. Where its format says which words a call begins with, each of them is a tool, and what may follow
 * are its arguments; where a turn is one word, each word is a tool; else one tool takes the text of a turn.
 */
export class Toolbox {
  readonly list: readonly McpTool[];
  readonly #tools: ReadonlyMap<string, Tool>;

  constructor(
    private readonly spec: EnvSpec,
    private readonly reader: TurnReader,
  ) {
    const tools = toolsOf(spec);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.list = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  }

  turn(name: string, given: Readonly<Record<string, unknown>>): ToolTurn {
    const tool = this.#tools.get(name);
    const names = [...this.#tools.keys()];
    if (!tool) {
      const short = name.length > 40 ? `${name.slice(0, 40)}...` : name;
      const hint = name.length > 40 ? "" : didYouMean(name, names);
      return {
        unread: `the tool must be among ${names.join(", ")}: got ${short}${hint}`,
        mistake: "tool_not_found",
      };
    }
    const read = tool.word === undefined ? this.#text(given) : this.#call(tool, tool.word, given);
    return "unread" in read ? { ...read, mistake: "invalid_args" } : read;
  }

  #text(given: Readonly<Record<string, unknown>>): Read {
    const { text, ...rest } = given;
    const [strange] = Object.keys(rest);
    if (strange !== undefined) return { unread: `act must have only text: got ${strange.slice(0, 40)}` };
    return typeof text === "string" ? this.reader.read(text) : { unread: "text must be a string" };
  }

  #call(tool: Tool, word: number, given: Readonly<Record<string, unknown>>): Read {
    const known = tool.places.map(({ name }) => name);
    const strange = Object.keys(given).find((name) => !known.includes(name));
    if (strange !== undefined) {
      const may = known.length === 0 ? "no arguments" : `only ${known.join(", ")}`;
      return { unread: `${tool.name} must have ${may}: got ${strange.slice(0, 40)}` };
    }
    const action: number[] = [word];
    for (const { name, tokens, optional } of tool.places) {
      const value = given[name];
      if (value === undefined && optional) break;
      const token =
        typeof value === "string" || typeof value === "number" ? tokens.get(String(value)) : undefined;
      if (token === undefined) {
        return { unread: `${name} of ${tool.name} must be among ${[...tokens.keys()].join(", ")}` };
      }
      action.push(token);
    }
    return this.#ended(tool, action, given);
  }

  #ended(tool: Tool, action: number[], given: Readonly<Record<string, unknown>>): Read {
    const lost = tool.places.slice(action.length - 1).find(({ name }) => given[name] !== undefined);
    if (lost) return { unread: `${tool.name} must have every argument before ${lost.name}: one is left out` };
    const { endToken, maxTokens } = this.spec;
    if (endToken !== undefined && action.length < maxTokens) action.push(endToken);
    const { length } = action;
    return new ActionSpace(this.spec).contains(action)
      ? { action }
      : { unread: `${tool.name} must fill a turn of ${maxTokens} words: got ${length}` };
  }
}

function toolsOf(spec: EnvSpec): Tool[] {
  const { vocabulary, syntax, endToken, maxTokens, id } = spec;
  const all = vocabulary.map((_, token) => token);
  const first = syntax?.[0] ?? (maxTokens === 1 ? all : []);
  const words = first.filter((token) => token !== endToken);
  const names = words.map((token) => vocabulary[token]!.replaceAll(/[^A-Za-z0-9_-]/g, "_"));
  const good =
    names.length > 0 &&
    new Set(names).size === names.length &&
    names.every((name) => nameable.test(name) && !reserved.includes(name));
  if (!good) return [textTool(spec)];
  const places = (syntax?.slice(1, maxTokens) ?? []).map((tokens, i) => placeOf(spec, `arg${i + 1}`, tokens));
  return words.map((word, i) => ({
    name: names[i]!,
    word,
    places,
    description: `Takes the turn "${[vocabulary[word]!, ...places.map(({ name }) => `<${name}>`)].join(" ")}" of ${id}.`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        places.map(({ name, tokens }) => [name, { type: "string", enum: [...tokens.keys()] }]),
      ),
      required: places.filter(({ optional }) => !optional).map(({ name }) => name),
      additionalProperties: false,
    },
  }));
}

function placeOf({ vocabulary, endToken }: EnvSpec, name: string, tokens: readonly number[]): Place {
  const words = tokens.filter((token) => token !== endToken);
  return {
    name,
    tokens: new Map(words.map((token) => [vocabulary[token]!, token])),
    optional: endToken !== undefined && tokens.includes(endToken),
  };
}

function textTool({ id, vocabulary, maxTokens }: EnvSpec): Tool {
  const description = `Takes a turn of ${id}: at most ${maxTokens} of the words ${vocabulary.join(", ")}.`;
  return {
    name: "act",
    places: [],
    description,
    inputSchema: {
      type: "object",
      properties: { text: { type: "string", description: "The words of the turn, each after a space." } },
      required: ["text"],
      additionalProperties: false,
    },
  };
}
