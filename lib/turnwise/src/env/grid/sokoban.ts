import { fraction, group, whole, type Static } from "../../schema";
import type { Observation } from "../env";
import { GameEnv, type Game } from "../game";
import { readOptions } from "../options";
import type { Tiles } from "./drawGrid";
import { MOVES, movesOf, moveTools, STOP } from "./moves";
import { push, SIZE, sokobanLevels, type SokobanLevel } from "./sokobanLevels";
import { world } from "../world";

const schema = group({
  rooms: whole(8, { atLeast: 1, atMost: 1000, help: "Number of rooms that the episodes draw from." }),
  roomSeed: whole(0, { atLeast: 0, help: "The seed that drew the rooms." }),
  turns: whole(5, { atLeast: 1, atMost: 100, unit: "turns", help: "Length of an episode." }),
  actionsPerTurn: whole(2, { atLeast: 1, atMost: 5, unit: "moves", help: "The most moves of one turn." }),
  actionLimit: whole(10, {
    atLeast: 1,
    atMost: 500,
    unit: "moves",
    help: "Moves of an episode in all; every room can be solved within them.",
  }),
  moveCost: fraction(0.1, {
    help: "Subtracted for every move. With it, an agent that has never solved a room learns to stand still there.",
  }),
});

export type SokobanOptions = Static<typeof schema>;

interface SokobanState {
  readonly room: number;
  readonly player: number;
  readonly box: number;
  readonly turn: number;
  readonly moves: number;
}

export const sokobanWorld = world({
  id: "Sokoban-v0",
  about: "Rooms with one box to push onto a target, where a wrong push cannot be undone.",
  skill: "irreversibility: think before you push",
  options: schema,
  cheapToEnumerate: false,
  small: { actionsPerTurn: 1, maxTurns: 3 },
  policy: {},
  make: (options) => sokoban(options),
});

/**
 * Sokoban-v0: some moves cannot be taken back.
 *
 * Rooms of 6 x 6 with one box and one target. The optimum of a room is 11 - `moveCost` x its fewest moves. RAGEN allows five moves
 * a turn; the default here is two, so that the optimum is found in a second.
 *
 * Of the eight default rooms the random agent solves one in 15% of episodes and the others in at most .3% (12,000 episodes
 * in all). A policy without memory shared between rooms therefore meets mostly costs, and learns to stand still in the
 * rooms that it never solved: `moveCost` 0 removes that pull.
 *
 * - **Action space:** a turn is up to `actionsPerTurn` moves (left, down, right, up), ended by `stop`. A move into a box pushes it.
 * - **Observation:** the tiles of the room, row by row, after the turn.
 * - **Reward:** 11 for the box on its target (1 for the box, 10 for the room); every move costs `moveCost`, into a wall as well.
 * - **Start:** each room is equally likely.
 * - **End:** when the room is solved, after `turns` turns, or after `actionLimit` moves in all.
 *
 * @see RAGEN, arXiv 2504.20073, for sizes and rewards
 */
export function sokoban(options: Partial<SokobanOptions> = {}): GameEnv<SokobanState> {
  return new GameEnv(game(options));
}

function game(given: Partial<SokobanOptions>): Game<SokobanState> {
  const { id, skill } = sokobanWorld;
  const o = readOptions(id, schema, given);
  const reach = Math.min(o.actionLimit, o.turns * o.actionsPerTurn);
  const rooms = sokobanLevels(o.rooms, o.roomSeed, reach);
  return {
    spec: {
      id,
      skill,
      vocabulary: [...MOVES],
      observationVocabulary: [...TILES],
      maxTurns: o.turns,
      maxTokens: o.actionsPerTurn,
      endToken: STOP,
      tools: moveTools(o.actionsPerTurn),
      tiles: DRAWN,
      options: { ...o },
    },
    start: () =>
      rooms.map((room, i) => {
        const state = { room: i, player: room.player, box: room.box, turn: 0, moves: 0 };
        return {
          probability: 1 / rooms.length,
          state,
          observation: look(room, state),
          reward: 0,
          terminated: false,
          taskId: `room=${i}`,
        };
      }),
    transition(state, action) {
      const room = rooms[state.room]!;
      let { player, box, moves } = state;
      let reward = 0;
      for (const move of movesOf(action, o.actionLimit - moves)) {
        moves++;
        reward -= o.moveCost;
        const before = box;
        ({ player, box } = push(room.walls, player, box, move) ?? { player, box });
        if (box !== before && box === room.target) reward += 11;
        if (box === room.target) break;
      }
      const solved = box === room.target;
      const after: SokobanState = { room: state.room, player, box, turn: state.turn + 1, moves };
      return [
        {
          probability: 1,
          state: after,
          observation: look(room, after),
          reward,
          terminated: solved || after.turn === o.turns || moves >= o.actionLimit,
          info: { call: "move", success: solved },
        },
      ];
    },
    render: (state) =>
      `room ${state.room}, turn ${state.turn} of ${o.turns}, ${state.moves} of ${o.actionLimit} moves\n` +
      look(rooms[state.room]!, state).text,
  };
}

const TILES = ["wall", "floor", "target", "box", "box-on-target", "player", "player-on-target"] as const;
const SIGNS = "#_OX*PS";
const DRAWN: Tiles = {
  "#": "wall",
  _: "floor",
  O: "target",
  X: "box",
  "*": "boxOnTarget",
  P: "player",
  S: "playerOnTarget",
};

function look(room: SokobanLevel, { player, box }: Pick<SokobanState, "player" | "box">): Observation {
  const tiles = room.walls.map((wall, cell) => {
    if (wall) return 0;
    const onTarget = cell === room.target ? 1 : 0;
    if (cell === box) return 3 + onTarget;
    if (cell === player) return 5 + onTarget;
    return 1 + onTarget;
  });
  const rows = Array.from({ length: SIZE }, (_, row) =>
    tiles
      .slice(row * SIZE, (row + 1) * SIZE)
      .map((tile) => SIGNS[tile])
      .join(""),
  );
  return { tokens: tiles.map((tile) => MOVES.length + tile), text: rows.join("\n") };
}
