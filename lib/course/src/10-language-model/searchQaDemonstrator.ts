import type { Env } from "turnwise/internal/env/index";
import type { History } from "turnwise/internal/policy/index";
import type { Teacher } from "turnwise/internal/train/imitate/demonstrations";
import { turnOf, wordOf } from "./words";

/** Follows the question hop by hop with probability `skill`; writes any well-formed call otherwise. */
export function searchQaDemonstrator(env: Env, skill: number): Teacher {
  const entities = env.spec.vocabulary.filter((word) => /^[a-z]+$/.test(word));
  return (history, rng) => {
    if (rng.next() < skill) return turnOf(env, nextStep(env, history));
    const tool = (["SEARCH", "NEXT", "ANSWER"] as const)[rng.below(3)]!;
    return turnOf(env, tool === "NEXT" ? [tool] : [tool, entities[rng.below(entities.length)]!]);
  };
}

/** Next step: searches the entity that was reached, page by page, until its relation shows the next one. */
function nextStep(env: Env, { observations, actions }: History): string[] {
  const said = observations.map(({ tokens }) => tokens.map((token) => wordOf(env, token)));
  const relations = said[0]!.slice(1, -1).reverse();
  let reached = said[0]!.at(-1)!;
  let hop = 0;
  let searched = "";
  actions.forEach((action, t) => {
    const [tool, entity] = action.map((token) => wordOf(env, token));
    if (tool === "SEARCH") searched = entity!;
    const next = objectOf(said[t + 1]!, reached, relations[hop]);
    if (next === undefined) return;
    reached = next;
    hop += 1;
  });
  if (hop === relations.length) return ["ANSWER", reached];
  return searched === reached && said.at(-1)!.at(-1) === "more" ? ["NEXT"] : ["SEARCH", reached];
}

/** The object of `subject relation object` on a page of facts. */
function objectOf(page: readonly string[], subject: string, relation?: string): string | undefined {
  const at = page.findIndex((word, i) => i % 3 === 0 && word === subject && page[i + 1] === relation);
  return at < 0 ? undefined : page[at + 2];
}
