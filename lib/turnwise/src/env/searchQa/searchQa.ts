import { data, group, whole, type Static } from "../../schema";
import type { Observation } from "../env";
import { GameEnv } from "../game";
import { ToolGrammar, type Call } from "../tool/grammar";
import { distractorTools, readToolOptions, toolFields } from "../tool/options";
import { sharedTokens, toolGame, type Effect, type ToolState } from "../tool/toolGame";
import {
  expectSearchQaTasks,
  followPath,
  SEARCH_QA_LEVELS,
  searchQaTasks,
  type Fact,
  type SearchQaTask,
} from "./tasks";
import { world } from "../world";

const schema = group({
  ...toolFields(SEARCH_QA_LEVELS),
  view: whole(1, { atLeast: 1, atMost: 10, unit: "facts", help: "Length of a page of results." }),
  tasks: data<readonly SearchQaTask[]>([], "a list of tasks", Array.isArray, {
    help: "The tasks to draw from; empty for generated ones.",
  }),
});

export type SearchQaOptions = Static<typeof schema>;

interface Reader {
  readonly task: number;
  /** Last search, and the page of it that was shown. */
  readonly page: { readonly entity: string; readonly index: number } | null;
  /** Hops of the question whose fact was shown, counted from 0, ascending. */
  readonly seen: readonly number[];
}

export const searchQaWorld = world({
  id: "SearchQa-v0",
  about: "Questions whose answers lie some searches away, page by page.",
  skill: "multi-hop search: decide what to look for next from what was found, and when to answer",
  levels: SEARCH_QA_LEVELS,
  options: schema,
  cheapToEnumerate: false,
  small: { taskCount: 4, turnLimit: 2 },
  policy: { syntaxPrior: 3 },
  make: (options) => searchQa(options),
});

/**
 * SearchQa-v0: find the facts that lead to the answer, hop by hop.
 *
 * A question asks for the end of a path, such as `bridge of born of ada`. Other relations of the same entity lead elsewhere. The
 * optimum is 1 within the default turn limit, which has room for every page on the path, the answer and one turn more.
 *
 * - **Action space:** a turn is one call, closed by END: `SEARCH entity` shows the first page of what is known of that entity,
 *   `NEXT` the next page, `ANSWER entity` answers.
 * - **Observation:** the question; a page of `view` facts in random order, as tokens that no policy wrote (mask 0); an error
 *   after a malformed call, which uses up a turn.
 * - **Reward:** 1 for ANSWER on an exact match, else 0; every turn costs `turnCost`. `reward` chooses another payment.
 * - **Start:** each question is equally likely.
 * - **End:** at ANSWER, or at the turn limit.
 *
 * @see Search-R1, arXiv 2503.09516: search as a tool, retrieved tokens masked out of the loss, exact match as the reward
 */
export function searchQa(options: Partial<SearchQaOptions> = {}): GameEnv<ToolState<Reader>> {
  const { id, skill } = searchQaWorld;
  const o = readToolOptions(id, schema, options);
  expectSearchQaTasks(id, o.tasks);
  const tasks = o.tasks.length > 0 ? o.tasks : searchQaTasks(o.level, o.taskCount);
  const facts = tasks.flatMap((task) => task.facts);
  const entities = [...new Set(facts.flatMap(([subject, , object]) => [subject, object]))].sort();
  const relations = [...new Set(facts.map(([, relation]) => relation))].sort();
  const entity = { name: "entity", values: entities };
  const grammar = new ToolGrammar([
    { name: "SEARCH", about: "Shows the first page of what is known of an entity.", parameters: [entity] },
    { name: "NEXT", about: "Shows the next page of the latest search.", parameters: [] },
    { name: "ANSWER", about: "Answers the question, which ends the episode.", parameters: [entity] },
    ...distractorTools(o.distractors),
  ]);
  const { vocabulary } = grammar;
  const observationVocabulary = ["question", "more", ...relations];
  const observed = (word: string): number => vocabulary.length + observationVocabulary.indexOf(word);
  const shared = sharedTokens(vocabulary, observationVocabulary);

  const pages = (task: SearchQaTask, subject: string): Fact[][] => {
    const known = task.facts.filter((fact) => fact[0] === subject);
    return Array.from({ length: Math.ceil(known.length / o.view) }, (_, i) =>
      known.slice(i * o.view, (i + 1) * o.view),
    );
  };
  const pagesOf = tasks.map((task) => new Map(entities.map((subject) => [subject, pages(task, subject)])));
  const pathOf = tasks.map((task) => followPath(task.facts, task.entity, task.relations)!);
  const longestPath = Math.max(
    ...tasks.map((_, i) =>
      pathOf[i]!.slice(0, -1).reduce((sum, subject) => sum + pagesOf[i]!.get(subject)!.length, 0),
    ),
  );

  const question = ({ entity: start, relations: path }: SearchQaTask): Observation => {
    const backwards = [...path].reverse();
    return {
      tokens: [observed("question"), ...backwards.map(observed), grammar.token(start)],
      text: `question: ${backwards.join(" of ")} of ${start}?`,
    };
  };
  const show = (page: readonly Fact[], more: boolean): Observation => ({
    tokens: [
      ...page.flatMap(([subject, relation, object]) => [
        grammar.token(subject),
        observed(relation),
        grammar.token(object),
      ]),
      ...(more ? [observed("more")] : []),
    ],
    text: `result: ${page.map((fact) => fact.join(" ")).join(", ")}${more ? ", more" : ""}`,
  });

  const call = (before: Reader, { tool, values: [named] }: Call): readonly Effect<Reader>[] => {
    const task = tasks[before.task]!;
    const path = pathOf[before.task]!;
    const refuse = (text: string): Effect<Reader>[] => [
      { state: before, observation: { tokens: [shared.error], text: `error: ${text}` }, refused: true },
    ];
    const open = (subject: string, index: number): Effect<Reader>[] => {
      const all = pagesOf[before.task]!.get(subject)!;
      const page = all[index];
      if (!page) return refuse(`nothing ${index === 0 ? "is" : "more is"} known of ${subject}`);
      const hops = page.map(([, relation]) =>
        path.findIndex((at, hop) => at === subject && task.relations[hop] === relation),
      );
      const seen = [...new Set([...before.seen, ...hops.filter((hop) => hop >= 0)])].sort();
      return [
        {
          state: { ...before, page: { entity: subject, index }, seen },
          observation: show(page, index + 1 < all.length),
        },
      ];
    };
    if (tool === "SEARCH") return open(named!, 0);
    if (tool === "NEXT") {
      return before.page ? open(before.page.entity, before.page.index + 1) : refuse("nothing was searched");
    }
    return [
      {
        state: before,
        observation: { tokens: [shared.ok], text: "handed in" },
        score: named === task.answer ? 1 : 0,
      },
    ];
  };

  const gold = tasks.map(({ answer }) => ({
    before: [grammar.token("ANSWER")],
    answer: [grammar.token(answer)],
  }));

  return new GameEnv(
    toolGame<Reader>({
      id,
      skill,
      vocabulary,
      observationVocabulary,
      options: o,
      turnLimit: o.turnLimit || longestPath + 2,
      longestCall: grammar.longest,
      forms: grammar.forms,
      tools: grammar.tools,
      tasks: tasks.map((task, i) => ({
        id: task.id,
        level: task.level,
        state: { task: i, page: null, seen: [] },
        observation: question(task),
      })),
      milestones: SEARCH_QA_MILESTONES,
      parse: (action) => grammar.parse(action),
      call,
      gold: ({ task: i }) => gold[i]!,
      holding: ({ task: i, seen }, score) => [
        ...(seen.includes(0) ? ["firstHop"] : []),
        ...(seen.length === tasks[i]!.relations.length ? ["allHops"] : []),
        ...(score === 1 ? ["answered"] : []),
      ],
      render({ task: i, seen }) {
        const { relations: path } = tasks[i]!;
        const hops = path.map((relation, hop) => {
          const found = seen.includes(hop) ? "shown" : "not shown";
          return `${pathOf[i]![hop]!} ${relation} ${pathOf[i]![hop + 1]!} (${found})`;
        });
        return `hidden: ${hops.join(", ")}`;
      },
    }),
  );
}

export const SEARCH_QA_MILESTONES = [
  { id: "firstHop", weight: 0.25 },
  { id: "allHops", weight: 0.25, dependsOn: ["firstHop"] },
  { id: "answered", weight: 0.5, dependsOn: ["allHops"] },
];
