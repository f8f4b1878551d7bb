import type { Env } from "turnwise/internal/env/index";
import { END } from "turnwise/internal/env/tool/grammar";

/** The tokens of words, with the end token where there is room for it. */
export function turnOf({ spec }: Env, words: readonly string[]): number[] {
  const tokens = words.map((word) => spec.vocabulary.indexOf(word));
  return tokens.length < spec.maxTokens ? [...tokens, spec.vocabulary.indexOf(END)] : tokens;
}

/** The word of a token, the agent's or the world's. */
export function wordOf({ spec }: Env, token: number): string {
  const own = spec.vocabulary.length;
  return (token < own ? spec.vocabulary[token] : spec.observationVocabulary[token - own]) ?? "?";
}
