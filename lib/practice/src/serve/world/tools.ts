import { didYouMean } from "turnwise/internal/base/suggest";
import type { EnvSpec, ToolParameter, ToolSpec } from "turnwise/internal/env/env";
import { ActionSpace } from "turnwise/internal/env/space";
import { patternOf, usageOf, writeCall } from "turnwise/internal/env/tool/declared";
import { isToolName, wrongTool } from "turnwise/internal/env/tool/wrongTool";
import type { Read, TurnReader } from "./turnReader";

/** A tool as MCP lists it. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Turn that a tool call means; mistakes have OpenEnv's names. */
export type ToolTurn = Read & { readonly mistake?: "tool_not_found" | "invalid_args" };

/**
 * A world's turns as tools: those that it declares. Where it declares none, each word that a turn may begin with is a tool, and
 * what may follow are its arguments; else one tool takes the text of a turn.
 */
export class Toolbox {
  readonly list: readonly McpTool[];
  /** Undefined where one tool takes the text of a turn. */
  readonly #tools: ReadonlyMap<string, ToolSpec> | undefined;

  /** @throws {RangeError} if a declared tool cannot be called */
  constructor(
    private readonly spec: EnvSpec,
    private readonly reader: TurnReader,
  ) {
    const wrong = wrongTool(spec);
    if (wrong) throw new RangeError(`Cannot serve ${spec.id}: ${wrong[0]} (${wrong[1]}).`);
    const tools = spec.tools ?? toolsBySyntax(spec);
    this.#tools = tools && new Map(tools.map((tool) => [tool.name, tool]));
    this.list = tools?.map(mcpTool) ?? [textTool(spec)];
  }

  turn(name: string, given: Readonly<Record<string, unknown>>): ToolTurn {
    const names = this.list.map((tool) => tool.name);
    if (!names.includes(name)) {
      const short = name.length > 40 ? `${name.slice(0, 40)}...` : name;
      const hint = name.length > 40 ? "" : didYouMean(name, names);
      return {
        unread: `the tool must be among ${names.join(", ")}, got ${short}.${hint}`,
        mistake: "tool_not_found",
      };
    }
    const tool = this.#tools?.get(name);
    const read = tool ? this.#call(tool, given) : this.#text(given);
    return "unread" in read ? { ...read, mistake: "invalid_args" } : read;
  }

  #text(given: Readonly<Record<string, unknown>>): Read {
    const { text, ...rest } = given;
    const [strange] = Object.keys(rest);
    if (strange !== undefined) return { unread: `act must have only text, got ${strange.slice(0, 40)}.` };
    return typeof text === "string" ? this.reader.read(text) : { unread: "text must be a string." };
  }

  #call(tool: ToolSpec, given: Readonly<Record<string, unknown>>): Read {
    const read = writeCall(this.spec, tool, given);
    if ("unread" in read || new ActionSpace(this.spec).contains(read.action)) return read;
    const { length } = read.action;
    return { unread: `${tool.name} must fill a turn of ${this.spec.maxTokens} words, got ${length}.` };
  }
}

function mcpTool(tool: ToolSpec): McpTool {
  const { name, about, parameters } = tool;
  return {
    name,
    description: `${about} The turn is "${usageOf(tool)}".`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOf(parameter)])),
      required: parameters.filter(({ required }) => required !== false).map((parameter) => parameter.name),
      additionalProperties: false,
    },
  };
}

function schemaOf(parameter: ToolParameter): Readonly<Record<string, unknown>> {
  const { about, values, words } = parameter;
  const allowed = words ? { pattern: patternOf(parameter) } : { enum: [...values] };
  return { type: "string", ...(about !== undefined && { description: about }), ...allowed };
}

/** The tools of a world that declares none, by the words that its places may have; undefined where a turn begins with any word. */
function toolsBySyntax(spec: EnvSpec): readonly ToolSpec[] | undefined {
  const { vocabulary, syntax, endToken, maxTokens, id } = spec;
  const wordsOf = (tokens: readonly number[]): string[] =>
    tokens.filter((token) => token !== endToken).map((token) => vocabulary[token]!);
  const first = wordsOf(syntax?.[0] ?? (maxTokens === 1 ? [...vocabulary.keys()] : []));
  const names = first.map((word) => word.replaceAll(/[^A-Za-z0-9_-]/g, "_"));
  if (names.length === 0 || new Set(names).size < names.length || !names.every(isToolName)) return undefined;
  const places = syntax?.slice(1, maxTokens) ?? [];
  const last = places.findIndex((tokens) => wordsOf(tokens).length === 0);
  const parameters = places.slice(0, last < 0 ? undefined : last).map((tokens, i) => ({
    name: `arg${i + 1}`,
    values: wordsOf(tokens),
    required: endToken === undefined || !tokens.includes(endToken),
  }));
  return first.map((word, i) => ({
    name: names[i]!,
    about: `Takes a turn of ${id}.`,
    parameters,
    turn: [word, ...parameters.map(({ name }) => ({ parameter: name }))],
  }));
}

function textTool({ id, vocabulary, maxTokens }: EnvSpec): McpTool {
  const description = `Takes a turn of ${id}: at most ${maxTokens} of the words ${vocabulary.join(", ")}.`;
  return {
    name: "act",
    description,
    inputSchema: {
      type: "object",
      properties: { text: { type: "string", description: "The words of the turn, each after a space." } },
      required: ["text"],
      additionalProperties: false,
    },
  };
}
