import { didYouMean } from "turnwise/internal/base/suggest";
import type { Action, Env, EnvSpec } from "turnwise/internal/env/env";
import { ActionSpace } from "turnwise/internal/env/space";

/** A turn, or a sentence about a text that is none. */
export type Read = { readonly action: Action } | { readonly unread: string };

/** Reads what a model writes as a turn of a world: words of its vocabulary, each after a space. */
export class TurnReader {
  readonly #spec: EnvSpec;
  readonly #space: ActionSpace;
  readonly #tokens = new Map<string, number>();
  /** Words of a vocabulary may hold spaces themselves, such as "answer 0". */
  readonly #longestWord: number;

  constructor(spec: EnvSpec) {
    this.#spec = spec;
    this.#space = new ActionSpace(spec);
    // What differs in its capitals alone must be written as it is.
    const folded = new Map<string, number>();
    for (const [token, word] of spec.vocabulary.entries()) {
      const low = word.toLowerCase();
      folded.set(low, folded.has(low) ? NaN : token);
    }
    for (const [low, token] of folded) if (!Number.isNaN(token)) this.#tokens.set(low, token);
    for (const [token, word] of spec.vocabulary.entries()) this.#tokens.set(word, token);
    this.#longestWord = Math.max(...spec.vocabulary.map((word) => word.split(" ").length));
  }

  read(text: string): Read {
    const action: number[] = [];
    const words = text.split(/\s+/).filter((word) => word !== "");
    for (let at = 0; at < words.length;) {
      const found = this.#wordAt(words, at);
      if (!found) return this.#unknown(words[at]!);
      action.push(found.token);
      at += found.words;
      if (action.length > this.#spec.maxTokens) break;
    }
    const { endToken, maxTokens } = this.#spec;
    const short = action.length < maxTokens && endToken !== undefined && action.at(-1) !== endToken;
    if (short) action.push(endToken);
    if (this.#space.contains(action)) return { action };
    const least = endToken === undefined ? `exactly ${maxTokens}` : `at most ${maxTokens}`;
    return { unread: `a turn must have ${least} of the world's words, got ${words.length}.` };
  }

  #wordAt(words: readonly string[], at: number): { token: number; words: number } | undefined {
    for (let count = Math.min(this.#longestWord, words.length - at); count > 0; count--) {
      const word = words.slice(at, at + count).join(" ");
      const token = this.#tokens.get(word) ?? this.#tokens.get(word.toLowerCase());
      if (token !== undefined) return { token, words: count };
    }
    return undefined;
  }

  #unknown(word: string): Read {
    const { endToken } = this.#spec;
    const vocabulary = this.#spec.vocabulary.filter((_, token) => token !== endToken);
    const known = vocabulary.length > 40 ? [...vocabulary.slice(0, 40), "..."] : vocabulary;
    const short = word.length > 40 ? `${word.slice(0, 40)}...` : word;
    const hint = word.length < 3 || word.length > 40 ? "" : didYouMean(word, vocabulary);
    return { unread: `the words of a turn must be among ${known.join(", ")}, got ${short}.${hint}` };
  }
}

/**
 * A turn that the world itself calls malformed: it stands for a text that could not be read, so that it costs what any other
 * mistake costs. Undefined where every turn means something.
 *
 * @param env a copy that nobody uses: the turn is tried out
 */
export function malformedTurn(env: Env): Action | undefined {
  const { vocabulary, syntax, endToken, maxTokens } = env.spec;
  if (!syntax) return undefined;
  const places = endToken === undefined ? maxTokens : 1;
  const action = Array.from({ length: places }, (_, place) =>
    vocabulary.findLastIndex((_word, token) => token !== endToken && syntax[place]?.includes(token) !== true),
  );
  if (endToken !== undefined && maxTokens > 1) action.push(endToken);
  if (!env.actionSpace.contains(action)) return undefined;
  env.reset({ seed: 0 });
  const [, , , , { call }] = env.step(action);
  return call === "malformed" ? action : undefined;
}
