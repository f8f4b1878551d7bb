import { data, group, oneOf, whole, type Static } from "../schema";
import { createRng } from "../base/rng";
import { buildTree, games, type Tree, type TreeSpec } from "../tree";
import type { Observation, Outcome } from "./env";
import { GameEnv, type Game } from "./game";
import { readOptions } from "./options";
import { world } from "./world";

const isRecord = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const schema = group({
  game: oneOf(
    [
      "guessOrLookUp",
      "jackpot",
      "hiddenContexts",
      "note",
      "order",
      "differToWin",
      "firstThenSecond",
      "memoryless",
      "nowOrLater",
      "ladder",
      "tree",
      "random",
    ],
    { help: 'A named game of the library, "tree" for one of your own, or "random".' },
  ),
  parameters: data<Readonly<Record<string, number | boolean>>>({}, "an object", isRecord, {
    help: "Options of the named game, such as { pays: 0.4 } for guessOrLookUp.",
  }),
  tree: data<TreeSpec | null>(null, "a tree, or null", (value) => value === null || isRecord(value), {
    help: 'The game as data, with game "tree".',
  }),
  turns: whole(3, { atLeast: 1, atMost: 20, unit: "turns", help: 'Length of "ladder" and "random".' }),
  actions: whole(3, { atLeast: 1, atMost: 20, help: 'Actions of every place of "random".' }),
  gameSeed: whole(0, { atLeast: 0, help: 'The seed that draws "random".' }),
  observe: oneOf(["information", "full"], {
    help: '"information" shows what the game says the policy sees, "full" shows the node itself.',
  }),
  horizon: oneOf(["turns", "one"], {
    help: '"turns" plays turn by turn; with "one", a single turn holds the whole plan and nothing is observed in between.',
  }),
});

export type MatrixChainOptions = Static<typeof schema>;

type GameMaker = (parameters: Record<string, number | boolean>, o: MatrixChainOptions) => Tree;

const GAMES = {
  jackpot: (p) => games.jackpot(p),
  hiddenContexts: (p) => games.hiddenContexts(p),
  guessOrLookUp: (p) => games.guessOrLookUp(p),
  note: (p) => games.note(p),
  order: (p) => games.order(p),
  differToWin: (p) => games.differToWin(p),
  firstThenSecond: () => games.firstThenSecond(),
  memoryless: (p) => games.memoryless(p),
  nowOrLater: (p) => games.nowOrLater(p),
  ladder: (p, o) => games.ladder(o.turns, typeof p["stop"] === "number" ? p["stop"] : undefined),
} as const satisfies Record<MatrixGame, GameMaker>;

/** A named game of the library. */
export type MatrixGame = Exclude<MatrixChainOptions["game"], "tree" | "random">;

interface ChainState {
  /** Index of the tree's node; -1 once the episode is over. */
  readonly node: number;
  readonly turn: number;
}

export const matrixChainWorld = world({
  id: "MatrixChain-v0",
  about: "A finite game given as a tree, played node by node.",
  skill: "any finite decision problem, small enough to solve by hand",
  options: schema,
  cheapToEnumerate: true,
  small: {},
  policy: {},
  make: (options) => matrixChain(options),
});

/**
 * MatrixChain-v0: a finite tree given as data, as an environment.
 *
 * The library's named games have exact solutions, so what is sampled or trained here can be compared with them. With
 * `horizon: "one"` the same task is a bandit over whole plans: J = E_{x, y}[r(x, y)], the reduction of the temporally extended
 * problem to the single step of RLHF and RLVR.
 *
 * - **Action space:** one token a turn, the name of an action; with `horizon: "one"` a single turn holds the whole plan.
 * - **Observation:** what the game says the policy sees, or the node itself with `observe: "full"`; `error: ` after an action that
 *   the place does not offer, which uses up the turn.
 * - **Reward:** that of each action taken, as the game says.
 * - **Start:** drawn as the game's root says.
 * - **End:** where the game ends, or after its number of turns.
 *
 * @see `lib/turnwise/src/tree/games` for the optimum of each game and what it shows; "The Landscape of Agentic Reinforcement
 *   Learning for LLMs", arXiv 2509.02547, for the degenerate single step
 */
export function matrixChain(options: Partial<MatrixChainOptions> = {}): GameEnv<ChainState> {
  return new GameEnv(game(options));
}

function game(given: Partial<MatrixChainOptions>): Game<ChainState> {
  const { id, skill } = matrixChainWorld;
  const o = readOptions(id, schema, given);
  const tree = treeOf(id, o);
  const names = [...new Set(tree.infoStates.flatMap((row) => row.actions))];
  const places =
    o.observe === "full" ? tree.nodes.map((node) => node.name) : tree.infoStates.map((row) => row.name);
  const V = names.length;
  const placeOf = (node: number): number => (o.observe === "full" ? node : tree.nodes[node]!.infoState);
  const shown = places.map((name, i): Observation => ({ tokens: [V + i], text: name }));
  const refused = places.map((name, i): Observation => ({
    tokens: [V + i],
    text: `error: no such action; ${name}`,
  }));
  const done: Observation = { tokens: [V + places.length], text: "done" };
  const one = o.horizon === "one";
  const maxTurns = one ? 1 : tree.turns;

  const actionIndex = (node: number, token: number): number =>
    tree.infoStates[tree.nodes[node]!.infoState]!.actions.indexOf(names[token]!);

  const step = ({ node, turn }: ChainState, token: number): Outcome<ChainState>[] => {
    const index = actionIndex(node, token);
    const last = turn + 1 === tree.turns;
    if (index === -1) {
      const observation = last ? done : refused[placeOf(node)]!;
      const info = { call: "malformed" } as const;
      return [
        { probability: 1, state: { node, turn: turn + 1 }, observation, reward: 0, terminated: last, info },
      ];
    }
    return tree.nodes[node]!.outcomes[index]!.filter(({ probability }) => probability > 0).map((outcome) => {
      const over = outcome.next === -1 || last;
      return {
        probability: outcome.probability,
        state: { node: outcome.next, turn: turn + 1 },
        observation: over ? done : shown[placeOf(outcome.next)]!,
        reward: outcome.reward,
        terminated: over,
        info: { call: "move" },
      };
    });
  };

  return {
    spec: {
      id,
      skill,
      vocabulary: names,
      observationVocabulary: [...places.map((name) => `at ${name}`), "done"],
      maxTurns,
      maxTokens: one ? tree.turns : 1,
      options: { ...o },
    },
    start: () =>
      tree.start
        .filter(({ probability }) => probability > 0)
        .map(({ node, probability, task }) => ({
          probability,
          state: { node, turn: 0 },
          observation: shown[placeOf(node)]!,
          reward: 0,
          terminated: false,
          taskId: tree.tasks[task]!,
        })),
    transition: (state, action) => (one ? playPlan(state, action, step, done) : step(state, action[0]!)),
    render: ({ node, turn }) =>
      `turn ${turn} of ${tree.turns}, ${node === -1 ? "over" : `at ${tree.nodes[node]!.name}`}`,
  };
}

/** Plays the tokens of a plan one after the other and merges what ends alike. */
function playPlan(
  start: ChainState,
  plan: readonly number[],
  step: (state: ChainState, token: number) => Outcome<ChainState>[],
  done: Observation,
): Outcome<ChainState>[] {
  const ended = new Map<string, Outcome<ChainState>>();
  const play = (state: ChainState, place: number, probability: number, reward: number): void => {
    for (const outcome of step(state, plan[place]!)) {
      const p = probability * outcome.probability;
      const total = reward + outcome.reward;
      if (!outcome.terminated) {
        play(outcome.state, place + 1, p, total);
        continue;
      }
      const key = `${outcome.state.node}/${outcome.state.turn}/${total}`;
      const known = ended.get(key);
      ended.set(key, {
        ...outcome,
        observation: done,
        probability: p + (known?.probability ?? 0),
        reward: total,
      });
    }
  };
  play(start, 0, 1, 0);
  return [...ended.values()];
}

function treeOf(id: string, o: MatrixChainOptions): Tree {
  if (o.game === "tree") {
    if (!o.tree) throw new TypeError(`Cannot make ${id}: game "tree" needs a tree, got none.`);
    return buildTree(o.tree);
  }
  if (o.game === "random") {
    return games.randomTree(createRng(o.gameSeed), { turns: o.turns, actions: o.actions });
  }
  return GAMES[o.game](o.parameters as Record<string, never>, o);
}
