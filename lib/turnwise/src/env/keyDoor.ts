import { group, whole, type Static } from "../schema";
import type { Observation } from "./env";
import { GameEnv, type Game } from "./game";
import { readOptions } from "./options";
import { world } from "./world";

const schema = group({
  turns: whole(3, {
    atLeast: 2,
    atMost: 100,
    unit: "turns",
    help: "Turns from the cue to the door, both included, over which the colour must be remembered.",
  }),
  colours: whole(4, { atLeast: 2, atMost: 20, help: "Number of colours that a key may have." }),
});

export type KeyDoorOptions = Static<typeof schema>;

interface KeyDoorState {
  readonly colour: number;
  readonly turn: number;
}

export const keyDoorWorld = world({
  id: "KeyDoor-v0",
  about: "A key's colour is shown once and asked for at a door some corridors later.",
  skill: "memory: a cue at the first turn decides the last",
  options: schema,
  cheapToEnumerate: true,
  small: { turns: 3, colours: 2 },
  policy: {},
  make: (options) => keyDoor(options),
});

/**
 * KeyDoor-v0: remember what was seen at the start.
 *
 * What the agent writes on the way changes nothing, but a policy that sees its own last turn may use it as a note. Optimum 1;
 * random 1 / (colours + 1).
 *
 * - **Action space:** one token a turn: a colour, or "step".
 * - **Observation:** the key's colour at turn 1 only; then corridors; at the last turn the door, which asks for the colour.
 * - **Reward:** 1 for the key's colour at the door, else 0.
 * - **Start:** each colour is equally likely.
 * - **End:** at the door, after `turns` turns.
 *
 * @see bsuite, arXiv 1908.03568, `memory_len`, for the length of the memory
 */
export function keyDoor(options: Partial<KeyDoorOptions> = {}): GameEnv<KeyDoorState> {
  return new GameEnv(game(options));
}

function game(given: Partial<KeyDoorOptions>): Game<KeyDoorState> {
  const { id, skill } = keyDoorWorld;
  const o = readOptions(id, schema, given);
  const colours = Array.from({ length: o.colours }, (_, i) => `colour-${i}`);
  const V = o.colours + 1;
  const cue = colours.map((colour, i): Observation => ({ tokens: [V + i], text: `a key of ${colour}` }));
  const corridor: Observation = { tokens: [V + o.colours], text: "a corridor" };
  const door: Observation = { tokens: [V + o.colours + 1], text: "a door: which colour is the key?" };
  const done: Observation = { tokens: [V + o.colours + 2], text: "done" };
  return {
    spec: {
      id,
      skill,
      vocabulary: [...colours, "step"],
      observationVocabulary: [...colours.map((colour) => `key-${colour}`), "corridor", "door", "done"],
      maxTurns: o.turns,
      maxTokens: 1,
      tools: [
        {
          name: "name_colour",
          about: "Names the colour of the key at the door; before that it only walks on.",
          parameters: [{ name: "colour", values: colours }],
          turn: [{ parameter: "colour" }],
        },
        { name: "walk", about: "Walks on.", parameters: [], turn: ["step"] },
      ],
      options: { ...o },
    },
    start: () =>
      colours.map((name, colour) => ({
        probability: 1 / o.colours,
        state: { colour, turn: 0 },
        observation: cue[colour]!,
        reward: 0,
        terminated: false,
        taskId: name,
      })),
    transition(state, [token]) {
      const turn = state.turn + 1;
      const atDoor = turn === o.turns;
      const right = atDoor && token === state.colour;
      return [
        {
          probability: 1,
          state: { ...state, turn },
          observation: atDoor ? done : turn === o.turns - 1 ? door : corridor,
          reward: right ? 1 : 0,
          terminated: atDoor,
          info: { call: atDoor ? "answer" : "move", success: right },
        },
      ];
    },
    render: ({ colour, turn }) => `turn ${turn} of ${o.turns}, key of colour-${colour}`,
  };
}
