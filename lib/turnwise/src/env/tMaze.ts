import { fraction, group, whole, type Static } from "../schema";
import type { Observation } from "./env";
import { GameEnv, type Game } from "./game";
import { readOptions } from "./options";
import { world } from "./world";

const schema = group({
  length: whole(2, {
    atLeast: 1,
    atMost: 100,
    unit: "steps",
    help: "Number of steps from the start to the junction.",
  }),
  slack: whole(1, { atLeast: 0, atMost: 100, unit: "turns", help: "Turns beyond the fewest that suffice." }),
  bumpCost: fraction(0.1, { help: "Subtracted for every turn that does not move the agent." }),
});

export type TMazeOptions = Static<typeof schema>;

interface TMazeState {
  /** Place of the goal: 0 up, 1 down. */
  readonly goal: number;
  readonly place: number;
  readonly turn: number;
}

export const tMazeWorld = world({
  id: "TMaze-v0",
  about: "A sign at the start of a corridor says where to turn at its end.",
  skill: "memory while acting: a sign at the start decides the turn at the end",
  options: schema,
  cheapToEnumerate: true,
  small: { length: 2 },
  policy: {},
  make: (options) => tMaze(options),
});

/**
 * TMaze-v0: walk a corridor that forgets, then turn where the sign at its start said.
 *
 * Unlike in KeyDoor, the agent must also act on the way, and may go back to look again. Optimum 1: FORWARD `length` times,
 * then the sign.
 *
 * - **Action space:** one token a turn: FORWARD, BACK, UP or DOWN.
 * - **Observation:** the sign (up or down) at the start place only; corridor places look the same; the junction.
 * - **Reward:** 1 for the side of the sign at the junction, else 0; -`bumpCost` for a turn that does not move.
 * - **Start:** at the sign, which says up or down with probability 1/2.
 * - **End:** when the agent turns at the junction, or after `length` + 1 + `slack` turns.
 *
 * @see Bakker, "Reinforcement Learning with Long Short-Term Memory" (2001), section 4; its rewards 4 and -.1 are 1 and 0 here
 */
export function tMaze(options: Partial<TMazeOptions> = {}): GameEnv<TMazeState> {
  return new GameEnv(game(options));
}

function game(given: Partial<TMazeOptions>): Game<TMazeState> {
  const { id, skill } = tMazeWorld;
  const o = readOptions(id, schema, given);
  const maxTurns = o.length + 1 + o.slack;
  const [FORWARD, BACK, UP] = [0, 1, 2];
  const names = ["sign-up", "sign-down", "corridor", "junction", "done"];
  const texts = ["a sign: up", "a sign: down", "a corridor", "a junction", "done"];
  const observations = texts.map((text, i): Observation => ({ tokens: [4 + i], text }));
  const seen = ({ goal, place }: TMazeState): Observation =>
    observations[place === 0 ? goal : place === o.length ? 3 : 2]!;
  return {
    spec: {
      id,
      skill,
      vocabulary: ["FORWARD", "BACK", "UP", "DOWN"],
      observationVocabulary: names,
      maxTurns,
      maxTokens: 1,
      tools: [
        { name: "FORWARD", about: "Walks one place toward the junction.", parameters: [] },
        { name: "BACK", about: "Walks one place back toward the sign.", parameters: [] },
        { name: "UP", about: "Turns up, which ends the episode at the junction.", parameters: [] },
        { name: "DOWN", about: "Turns down, which ends the episode at the junction.", parameters: [] },
      ],
      options: { ...o },
    },
    start: () =>
      [0, 1].map((goal) => ({
        probability: 0.5,
        state: { goal, place: 0, turn: 0 },
        observation: observations[goal]!,
        reward: 0,
        terminated: false,
        taskId: `goal=${goal ? "down" : "up"}`,
      })),
    transition(state, [token]) {
      const turn = state.turn + 1;
      if (token! >= UP && state.place === o.length) {
        const right = token! - UP === state.goal;
        return [
          {
            probability: 1,
            state: { ...state, turn },
            observation: observations[4]!,
            reward: right ? 1 : 0,
            terminated: true,
            info: { call: "answer", success: right },
          },
        ];
      }
      const step = token === FORWARD ? 1 : token === BACK ? -1 : 0;
      const place = Math.min(o.length, Math.max(0, state.place + step));
      const after: TMazeState = { goal: state.goal, place, turn };
      return [
        {
          probability: 1,
          state: after,
          observation: turn === maxTurns ? observations[4]! : seen(after),
          reward: place === state.place ? 0 - o.bumpCost : 0,
          terminated: turn === maxTurns,
          info: { call: "move", success: false },
        },
      ];
    },
    render: ({ goal, place, turn }) =>
      `turn ${turn} of ${maxTurns}, place ${place} of ${o.length}, goal ${goal ? "down" : "up"}`,
  };
}
