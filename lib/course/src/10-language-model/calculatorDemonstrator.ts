import type { Env } from "turnwise/internal/env/index";
import type { Teacher } from "turnwise/internal/train/imitate/demonstrations";
import { turnOf, wordOf } from "./words";

/** Writes the question into a call, thinks it through or guesses; hands in a result that is there with probability `skill`. */
export function calculatorDemonstrator(env: Env, skill: number): Teacher {
  const wordsOf = (tokens: readonly number[]): string[] => tokens.map((token) => wordOf(env, token));
  return ({ observations }, rng) => {
    const question = wordsOf(observations[0]!.tokens).slice(1);
    const [kind, ...result] = wordsOf(observations.at(-1)!.tokens);
    if (kind === "result" && rng.next() < skill) return turnOf(env, ["ANSWER", ...result]);
    const tool = (["THINK", "CALL", "ANSWER"] as const)[rng.below(3)]!;
    if (tool !== "ANSWER") return turnOf(env, [tool, ...question]);
    const modulus = Number(question.slice(question.indexOf("mod") + 1).join(""));
    return turnOf(env, ["ANSWER", ...String(rng.below(modulus))]);
  };
}
