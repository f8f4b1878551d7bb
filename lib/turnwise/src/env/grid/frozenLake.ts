import { flag, group, whole, type Static } from "../../schema";
import type { Observation, Outcome } from "../env";
import { GameEnv, type Game } from "../game";
import { readOptions } from "../options";
import type { Tiles } from "./drawGrid";
import { MOVES, movesOf, moveTools, STEP, STOP } from "./moves";
import { world } from "../world";

const schema = group({
  slippery: flag(true, {
    help: "A move goes where it was meant with probability 1/3, and to either side of that with 1/3 each.",
  }),
  turns: whole(10, { atLeast: 1, atMost: 100, unit: "turns", help: "Length of an episode." }),
  actionsPerTurn: whole(2, { atLeast: 1, atMost: 5, unit: "moves", help: "The most moves of one turn." }),
  actionLimit: whole(20, { atLeast: 1, atMost: 500, unit: "moves", help: "Moves of an episode in all." }),
});

export type FrozenLakeOptions = Static<typeof schema>;

const MAP = ["SFFF", "FHFH", "FFFH", "HFFG"];
const SIZE = 4;
const TILES: Tiles = { S: "start", F: "ice", H: "hole", G: "goal", P: "player" };

interface LakeState {
  readonly place: number;
  readonly turn: number;
  readonly moves: number;
}

export const frozenLakeWorld = world({
  id: "FrozenLake-v0",
  about: "Gymnasium's 4 x 4 lake of slippery ice and holes, several moves a turn.",
  skill: "planning under slipping, with several moves a turn",
  options: schema,
  cheapToEnumerate: false,
  small: { actionsPerTurn: 1, turns: 4 },
  // Place and turn say everything: a table of histories would learn each way there again.
  policy: { memory: "turnObservation" },
  make: (options) => frozenLake(options),
});

/**
 * FrozenLake-v0: act under slipping, several moves a turn.
 *
 * The 4 x 4 map of Gymnasium. RAGEN allows five moves a turn; the default here is two, so that the optimum is found in a second,
 * with ten turns and twenty moves: within ten moves even the best agent gets there only one time in twenty-five.
 *
 * - **Action space:** a turn is up to `actionsPerTurn` moves (left, down, right, up), ended by `stop`. With `slippery` a move goes
 *   where it was meant with probability 1/3, and to either side of that with 1/3 each; a move against the edge stays in place.
 * - **Observation:** the place after the turn, not those passed on the way.
 * - **Reward:** 1 at the goal.
 * - **Start:** in the upper left corner.
 * - **End:** at the goal or in a hole, after `turns` turns, or after `actionLimit` moves in all.
 *
 * @see RAGEN, arXiv 2504.20073; Gymnasium, FrozenLake-v1, for the map and for slipping
 */
export function frozenLake(options: Partial<FrozenLakeOptions> = {}): GameEnv<LakeState> {
  return new GameEnv(game(options));
}

function game(given: Partial<FrozenLakeOptions>): Game<LakeState> {
  const { id, skill } = frozenLakeWorld;
  const o = readOptions(id, schema, given);
  const places = Array.from({ length: SIZE * SIZE }, (_, i) => i);
  const observations = places.map((place): Observation => ({
    tokens: [MOVES.length + place],
    text: drawn(place),
  }));
  return {
    spec: {
      id,
      skill,
      vocabulary: [...MOVES],
      observationVocabulary: places.map((place) => `place-${place}`),
      maxTurns: o.turns,
      maxTokens: o.actionsPerTurn,
      endToken: STOP,
      tools: moveTools(o.actionsPerTurn),
      tiles: TILES,
      options: { ...o },
    },
    start: () => [
      {
        probability: 1,
        state: { place: 0, turn: 0, moves: 0 },
        observation: observations[0]!,
        reward: 0,
        terminated: false,
        taskId: "4x4",
      },
    ],
    transition(state, action) {
      const moves = movesOf(action, o.actionLimit - state.moves);
      let reached = new Map([[state.place, 1]]);
      for (const move of moves) reached = slide(reached, move, o.slippery);
      const after = { turn: state.turn + 1, moves: state.moves + moves.length };
      const outOfTime = after.turn === o.turns || after.moves >= o.actionLimit;
      return [...reached].map(([place, probability]): Outcome<LakeState> => {
        const tile = tileAt(place);
        return {
          probability,
          state: { place, ...after },
          observation: observations[place]!,
          reward: tile === "G" ? 1 : 0,
          terminated: tile === "G" || tile === "H" || outOfTime,
          info: { call: "move", success: tile === "G" },
        };
      });
    },
    render: ({ place, turn, moves }) =>
      `turn ${turn} of ${o.turns}, ${moves} of ${o.actionLimit} moves\n${drawn(place)}`,
  };
}

function slide(places: ReadonlyMap<number, number>, move: number, slippery: boolean): Map<number, number> {
  const next = new Map<number, number>();
  const add = (place: number, probability: number): void => {
    next.set(place, (next.get(place) ?? 0) + probability);
  };
  for (const [place, probability] of places) {
    if (tileAt(place) === "G" || tileAt(place) === "H") add(place, probability);
    else if (!slippery) add(moved(place, move), probability);
    else for (const turn of [3, 0, 1]) add(moved(place, (move + turn) % 4), probability / 3);
  }
  return next;
}

function moved(place: number, move: number): number {
  const [rows, columns] = STEP[move]!;
  const clamp = (x: number): number => Math.min(SIZE - 1, Math.max(0, x));
  return SIZE * clamp(Math.floor(place / SIZE) + rows) + clamp((place % SIZE) + columns);
}

function tileAt(place: number): string {
  return MAP[Math.floor(place / SIZE)]![place % SIZE]!;
}

function drawn(place: number): string {
  return MAP.map((row, r) => [...row].map((tile, c) => (SIZE * r + c === place ? "P" : tile)).join("")).join(
    "\n",
  );
}
