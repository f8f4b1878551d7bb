import { flag, group, number, whole, type Static } from "../schema";
import type { Observation, Outcome } from "./env";
import { GameEnv, type Game } from "./game";
import { readOptions } from "./options";
import { world } from "./world";

const schema = group({
  turns: whole(4, {
    atLeast: 1,
    atMost: 100,
    unit: "turns",
    help: "Length of an episode that no door ends.",
  }),
  accuracy: number(0.85, {
    atLeast: 0.5,
    atMost: 1,
    help: "Probability that LISTEN hears the tiger where it is.",
  }),
  listenCost: number(1, { help: "Subtracted for listening." }),
  treasure: number(10, { help: "Reward of the door without the tiger." }),
  tiger: number(-100, { help: "Reward of the door with the tiger." }),
  continues: flag(false, {
    help: "As in the textbook: opening a door hides the tiger again and play goes on; otherwise it ends the episode.",
  }),
});

export type TigerOptions = Static<typeof schema>;

interface TigerState {
  /** 0 left, 1 right. */
  readonly side: number;
  readonly turn: number;
}

export const tigerWorld = world({
  id: "Tiger-v0",
  about: "A tiger waits behind one of two doors, and listening costs a little and errs at times.",
  skill: "information gathering: listen before you act",
  options: schema,
  cheapToEnumerate: true,
  small: { turns: 4 },
  policy: {},
  make: (options) => tiger(options),
});

/**
 * Tiger-v0: pay for information until it is enough.
 *
 * A tiger waits behind one of two doors. The belief depends only on how often left was heard more than right, so a policy needs
 * its history. `info` does not show it.
 *
 * - **Action space:** one token a turn: LISTEN, OPEN-LEFT or OPEN-RIGHT.
 * - **Observation:** two closed doors; growling behind the left or the right door, on the right side with probability
 *   `accuracy`; or an opened door.
 * - **Reward:** -`listenCost` for LISTEN, `treasure` for the other door, `tiger` for the tiger's.
 * - **Start:** the tiger is on either side with probability 1/2.
 * - **End:** at a door, unless `continues` hides the tiger again; else after `turns` turns.
 *
 * @see Cassandra, Kaelbling, Littman, "Acting optimally in partially observable stochastic domains" (1994), and
 *   Kaelbling, Littman, Cassandra (1998), section 5: the textbook's constants are the defaults
 */
export function tiger(options: Partial<TigerOptions> = {}): GameEnv<TigerState> {
  return new GameEnv(game(options));
}

function game(given: Partial<TigerOptions>): Game<TigerState> {
  const { id, skill } = tigerWorld;
  const o = readOptions(id, schema, given);
  const LISTEN = 0;
  const names = ["doors", "hear-left", "hear-right", "opened"];
  const texts = [
    "two closed doors",
    "growling behind the left door",
    "growling behind the right door",
    "door opened",
  ];
  const observations = texts.map((text, i): Observation => ({ tokens: [3 + i], text }));
  const outcome = (
    state: TigerState,
    side: number,
    observation: number,
    probability: number,
    reward: number,
    ends: boolean,
    info: Outcome<TigerState>["info"],
  ): Outcome<TigerState> => ({
    probability,
    state: { side, turn: state.turn + 1 },
    observation: observations[observation]!,
    reward,
    terminated: ends || state.turn + 1 === o.turns,
    info: info!,
  });
  return {
    spec: {
      id,
      skill,
      vocabulary: ["LISTEN", "OPEN-LEFT", "OPEN-RIGHT"],
      observationVocabulary: names,
      maxTurns: o.turns,
      maxTokens: 1,
      tools: [
        {
          name: "LISTEN",
          about: "Listens for the tiger, which costs a little and may mislead.",
          parameters: [],
        },
        { name: "OPEN-LEFT", about: "Opens the left door.", parameters: [] },
        { name: "OPEN-RIGHT", about: "Opens the right door.", parameters: [] },
      ],
      options: { ...o },
    },
    start: () =>
      [0, 1].map((side) => ({
        probability: 0.5,
        state: { side, turn: 0 },
        observation: observations[0]!,
        reward: 0,
        terminated: false,
        taskId: `side=${side}`,
      })),
    transition(state, [token]) {
      const { side } = state;
      if (token === LISTEN) {
        const info = { call: "tool", success: false } as const;
        return [
          outcome(state, side, 1 + side, o.accuracy, -o.listenCost, false, info),
          outcome(state, side, 2 - side, 1 - o.accuracy, -o.listenCost, false, info),
        ].filter(({ probability }) => probability > 0);
      }
      const safe = token! - 1 !== side;
      const reward = safe ? o.treasure : o.tiger;
      const info = { call: "answer", success: safe } as const;
      if (!o.continues) return [outcome(state, side, 3, 1, reward, true, info)];
      return [0, 1].map((next) => outcome(state, next, 3, 0.5, reward, false, info));
    },
    render: ({ side, turn }) => `turn ${turn} of ${o.turns}, tiger ${side ? "right" : "left"}`,
  };
}
