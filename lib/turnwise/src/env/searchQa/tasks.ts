import { createRng, type Rng } from "../../base/rng";

/** `subject relation object`, as in `ada born oslo`. */
export type Fact = readonly [subject: string, relation: string, object: string];

export interface SearchQaTask {
  readonly id: string;
  readonly level: number;
  /** The entity where the question starts, and the relations to follow from there, first hop first. */
  readonly entity: string;
  readonly relations: readonly string[];
  /** The knowledge base; the facts of an entity are shown in this order. */
  readonly facts: readonly Fact[];
  readonly answer: string;
}

/** Layers of entities; every fact leads from one to the next. */
const LAYERS = [
  { entities: ["ada", "bob", "cem", "dia"], relations: ["born", "works", "studied"] },
  { entities: ["oslo", "rome", "lima", "kyiv"], relations: ["bridge", "harbour", "ferry"] },
  { entities: ["nile", "ural", "loire", "ebro"], relations: ["mouth", "source"] },
  { entities: ["gulf", "delta", "lake", "fjord"], relations: [] },
];

const LEVELS = [
  { hops: 2, relations: 2 },
  { hops: 2, relations: 3 },
  { hops: 3, relations: 2 },
];

export const SEARCH_QA_LEVELS = LEVELS.length;

/** Entities that a path of relations leads through, the start included; undefined if a fact is missing. */
export function followPath(
  facts: readonly Fact[],
  entity: string,
  relations: readonly string[],
): string[] | undefined {
  const path = [entity];
  for (const relation of relations) {
    const fact = facts.find(([subject, by]) => subject === path.at(-1) && by === relation);
    if (!fact) return undefined;
    path.push(fact[2]);
  }
  return path;
}

/**
 * Distinct tasks, each with a knowledge base of its own. The same seed gives the same tasks.
 *
 * Tasks come in blocks of one question with every answer once, so that a question does not give away its answer. The
 * relations of an entity lead to different entities, so that following the wrong one shows in the answer.
 */
export function searchQaTasks(level: number, count: number, seed = 0): SearchQaTask[] {
  const { hops, relations: perEntity } = LEVELS[level - 1]!;
  const rng = createRng(seed).split("searchQa", level);
  const people = LAYERS[0]!.entities;
  const answers = LAYERS[hops]!.entities;
  const seen = new Set<string>();
  const tasks: SearchQaTask[] = [];
  while (tasks.length < count) {
    const entity = people[rng.below(people.length)]!;
    const relations = LAYERS.slice(0, hops).map((layer) => layer.relations[rng.below(perEntity)]!);
    for (const answer of rng.shuffle(answers)) {
      let facts: Fact[];
      do facts = drawFacts(hops, perEntity, rng);
      while (followPath(facts, entity, relations)!.at(-1) !== answer || seen.has(JSON.stringify(facts)));
      seen.add(JSON.stringify(facts));
      tasks.push({ id: `searchQa-${level}-${tasks.length}`, level, entity, relations, facts, answer });
    }
  }
  return tasks.slice(0, count);
}

function drawFacts(hops: number, perEntity: number, rng: Rng): Fact[] {
  return LAYERS.slice(0, hops).flatMap(({ entities, relations }, layer) =>
    entities.flatMap((subject) => {
      const objects = rng.shuffle(LAYERS[layer + 1]!.entities);
      const facts = relations.slice(0, perEntity).map((by, i): Fact => [subject, by, objects[i]!]);
      return rng.shuffle(facts);
    }),
  );
}

/** @throws {RangeError} if the knowledge base does not lead from a question to its answer */
export function expectSearchQaTasks(id: string, tasks: readonly SearchQaTask[]): void {
  for (const { id: task, facts, entity, relations, answer } of tasks) {
    const path = followPath(facts, entity, relations);
    if (path?.at(-1) === answer && relations.length > 0) continue;
    throw new RangeError(
      `Cannot make ${id}: the facts must lead to the answer, but "${task}" leads to ${path?.at(-1) ?? "nothing"}, and the answer is ${answer}.`,
    );
  }
}
