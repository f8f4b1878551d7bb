import { expectKnown, expectWhole } from "turnwise/internal/base/expect";
import { show } from "turnwise/internal/base/show";
import type { Action, EnvSpec, Observation } from "turnwise/internal/env/env";
import { specKey } from "../wire/documents";
import { isRecord } from "../wire/shapes";

type Json = Readonly<Record<string, unknown>>;

/** Translation of a server's actions and observations into tokens. */
export interface Dialect {
  readonly spec: EnvSpec;
  action(turn: Action): Json;
  observe(observation: Json): Observation;
  /** Data that `reset` sends besides the seed. */
  readonly reset: Json;
  /** Whether the server tells members of a group apart. */
  readonly members: boolean;
}

/** Facts about its world that a server other than turnwise's cannot report. */
export interface ForeignWorld {
  /** The words that an agent may write. */
  readonly words: readonly string[];
  readonly maxTurns: number;
  /** Number of words of a turn; default 1. */
  readonly maxTokens?: number;
  /** One of the words: it ends a turn that is shorter. */
  readonly endWord?: string;
  /** The fields of the action that a turn of words means. */
  readonly action: (words: readonly string[]) => Json;
  /** Function from an observation to the text that the agent sees; default: its JSON. */
  readonly text?: (observation: Json) => string;
  /** The words that observations hold; any other one is "unknown". Default: observations are read byte by byte. */
  readonly observationWords?: readonly string[];
  /** Data that `reset` sends besides the seed. */
  readonly reset?: Json;
}

const parts = ["words", "maxTurns", "maxTokens", "endWord", "action", "text", "observationWords", "reset"];

/** The world of a server of turnwise, which tells it with its schema; undefined of any other server. */
export function ownDialect(schema: unknown): Dialect | undefined {
  const action = isRecord(schema) ? schema.action : undefined;
  const spec = isRecord(action) ? action[specKey] : undefined;
  if (!isRecord(spec)) return undefined;
  expectSpec(spec);
  return {
    spec: spec as unknown as EnvSpec,
    action: (turn) => ({ tokens: turn }),
    observe: ({ tokens, text, agent }) => ({
      tokens: tokens as readonly number[],
      text: String(text),
      ...(typeof agent === "string" && { agent }),
    }),
    reset: {},
    members: true,
  };
}

/** @throws {RangeError} if what a server says of its world is no world */
function expectSpec(spec: Json): void {
  const { id, vocabulary, observationVocabulary, maxTurns, maxTokens, endToken } = spec;
  const refuse = (name: string, must: string): never => {
    throw new RangeError(
      `Cannot open the world of a server: its ${name} must be ${must}, got ${show(spec[name])}.`,
    );
  };
  if (typeof id !== "string" || !/^[A-Za-z][A-Za-z0-9]*-v\d+$/.test(id)) refuse("id", 'like "Name-v0"');
  const areWords = (words: unknown): words is readonly string[] =>
    Array.isArray(words) && words.every((word) => typeof word === "string");
  if (!areWords(vocabulary) || vocabulary.length === 0) refuse("vocabulary", "a list of one word or more");
  if (!areWords(observationVocabulary)) refuse("observationVocabulary", "a list of words");
  const areMany = (count: unknown): boolean => Number.isSafeInteger(count) && Number(count) >= 1;
  if (!areMany(maxTurns)) refuse("maxTurns", "an integer of at least 1");
  if (!areMany(maxTokens)) refuse("maxTokens", "an integer of at least 1");
  const words = vocabulary as readonly string[];
  if (endToken !== undefined && !(Number.isSafeInteger(endToken) && words[Number(endToken)] !== undefined))
    refuse("endToken", "a token of its vocabulary");
}

/** @throws {RangeError} if a part is unknown or out of range */
export function foreignDialect(name: string, about: string, world: ForeignWorld): Dialect {
  const doing = `read ${name} as a world`;
  expectKnown(doing, world, parts);
  const { words, maxTurns, maxTokens = 1, endWord, observationWords, reset = {} } = world;
  expectWhole(doing, "maxTurns", maxTurns, 1);
  expectWhole(doing, "maxTokens", maxTokens, 1);
  if (words.length === 0 || new Set(words).size < words.length) {
    throw new RangeError(
      `Cannot ${doing}: words must be one or more, each once, but there are ${words.length}.`,
    );
  }
  const endToken = endWord === undefined ? undefined : words.indexOf(endWord);
  if (endToken === -1) {
    throw new RangeError(`Cannot ${doing}: endWord must be one of the words, got "${endWord}".`);
  }
  const read = observationWords ? wordReader(words.length, observationWords) : byteReader(words.length);
  const textOf = world.text ?? ((observation: Json) => JSON.stringify(observation));
  return {
    spec: {
      id: idOf(name),
      skill: about,
      vocabulary: words,
      observationVocabulary: read.vocabulary,
      ...{ maxTurns, maxTokens, options: {} },
      ...(endToken !== undefined && { endToken }),
    },
    action: (turn) => world.action(turn.filter((token) => token !== endToken).map((token) => words[token]!)),
    observe: (observation) => {
      const text = textOf(observation);
      return { text, tokens: read.tokens(text) };
    },
    reset,
    members: false,
  };
}

/** A name as ids are: "guessing env" becomes "guessingenv-v0". */
function idOf(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9]*-v\d+$/.test(name)) return name;
  return `${name.replaceAll(/[^A-Za-z0-9]|^[^A-Za-z]+/g, "") || "Remote"}-v0`;
}

interface TextReader {
  readonly vocabulary: readonly string[];
  tokens(text: string): number[];
}

function byteReader(first: number): TextReader {
  return {
    vocabulary: Array.from({ length: 256 }, (_, byte) => `byte ${byte}`),
    tokens: (text) => Array.from(new TextEncoder().encode(text), (byte) => first + byte),
  };
}

function wordReader(first: number, words: readonly string[]): TextReader {
  const tokens = new Map(words.map((word, i) => [word, first + i]));
  const unknown = first + words.length;
  return {
    vocabulary: [...words, "unknown"],
    tokens: (text) =>
      text
        .split(/\s+/)
        .filter((word) => word !== "")
        .map((word) => tokens.get(word) ?? unknown),
  };
}
