import { fraction, group, number, whole, type Static } from "../schema";
import type { Observation } from "./env";
import { GameEnv, type Game } from "./game";
import { readOptions } from "./options";
import { world } from "./world";

const schema = group({
  doors: whole(3, { atLeast: 2, atMost: 20, help: "Number of doors, and of keys." }),
  tries: whole(3, { atLeast: 1, atMost: 100, unit: "turns", help: "Turns that the opener has for a key." }),
  accuracy: fraction(0.9, {
    help: "Probability that the key which is asked for arrives; else one of the others.",
  }),
  jamCost: number(0.1, { atLeast: 0, help: "Subtracted for a key turned in a way that does not fit it." }),
  alone: number(0.3, { help: "Reward of the scout who writes DONE and hands nothing over." }),
});

export type HandOverOptions = Static<typeof schema>;

interface HandOverState {
  /** The door that is to be opened. */
  readonly door: number;
  /** The key that the opener holds; null before it is handed over. */
  readonly key: number | null;
  readonly turn: number;
}

export const handOverWorld = world({
  id: "HandOver-v0",
  about:
    "A scout sees which door is meant and sends a key by one word; an opener must turn the key that arrives.",
  skill: "division of labor: two agents with a part each, paid together, hand a task over",
  options: schema,
  cheapToEnumerate: true,
  small: { doors: 2, tries: 2 },
  policy: { memory: "turnObservation" },
  make: (options) => handOver(options),
});

/**
 * HandOver-v0: two agents do a task together, and one return pays both.
 *
 * - **Action space:** one token a turn: a number from 1 to `doors`, or DONE. The scout's number sends that key; the opener's
 *   turns the key that many times. DONE settles for `alone`, or gives up.
 * - **Observation:** the scout sees the door. The opener sees the key alone: with probability `accuracy` the one that was sent,
 *   else one of the others; later that it is jammed.
 * - **Reward:** 1 for the door's key, turned so that it fits, 0 for another one; `alone` if the scout writes DONE; -`jamCost`
 *   for a key turned otherwise. Key k of K fits when turned k + 1 times, or once if k = K.
 * - **Start:** each door is equally likely.
 * - **End:** when a key is turned so that it fits, at DONE, or after `tries` turns of the opener.
 *
 * The scout takes one turn and the opener none to `tries`, and the longer the opener's part, the lower the return: a baseline
 * over all turns of a task is not that of the scout's. What pays in the opener's place depends on the key alone, so the optimum
 * of a policy that remembers the scout's turn is that of two agents who see their own:
 *
 * ```
 * J* = max(accuracy, alone)
 * ```
 * for `accuracy` of at least 1 / doors.
 *
 * @see Dr. MAS, arXiv 2602.08847, for baselines by agent
 */
export function handOver(options: Partial<HandOverOptions> = {}): GameEnv<HandOverState> {
  return new GameEnv(game(options));
}

function game(given: Partial<HandOverOptions>): Game<HandOverState> {
  const { id, skill } = handOverWorld;
  const o = readOptions(id, schema, given);
  const K = o.doors;
  const DONE = K;
  const numbers = Array.from({ length: K }, (_, i) => i);
  const seen = (agent: "scout" | "opener", first: number, text: (i: number) => string): Observation[] =>
    numbers.map((i) => ({ tokens: [first + i], text: text(i + 1), agent }));
  const doors = seen("scout", K + 1, (i) => `door ${i} is to be opened`);
  const keys = seen("opener", 2 * K + 1, (i) => `key ${i} has arrived`);
  const jammed = seen("opener", 3 * K + 1, (i) => `key ${i} is jammed`);
  const over: Observation = { tokens: [4 * K + 1], text: "over" };
  const names = (what: string): string[] => numbers.map((i) => `${what}-${i + 1}`);
  return {
    spec: {
      id,
      skill,
      vocabulary: [...numbers.map((i) => String(i + 1)), "DONE"],
      observationVocabulary: [...names("door"), ...names("key"), ...names("jammed"), "over"],
      maxTurns: 1 + o.tries,
      maxTokens: 1,
      tools: [
        {
          name: "key",
          about: "The scout sends the key of this number; the opener turns its key this many times.",
          parameters: [{ name: "number", values: numbers.map((i) => String(i + 1)) }],
          turn: [{ parameter: "number" }],
        },
        {
          name: "DONE",
          about: "Ends the episode: the scout settles, or the opener gives up.",
          parameters: [],
        },
      ],
      agents: ["scout", "opener"],
      options: { ...o },
    },
    start: () =>
      numbers.map((door) => ({
        probability: 1 / K,
        state: { door, key: null, turn: 0 },
        observation: doors[door]!,
        reward: 0,
        terminated: false,
        taskId: `door-${door + 1}`,
      })),
    transition({ door, key, turn }, [token]) {
      const next = { door, key, turn: turn + 1 };
      const end = (reward: number, success: boolean) => [
        {
          probability: 1,
          state: next,
          observation: over,
          reward,
          terminated: true,
          info: { call: "answer", success } as const,
        },
      ];
      if (key === null) {
        if (token === DONE) return end(o.alone, false);
        return numbers
          .map((arrives) => ({
            probability: arrives === token ? o.accuracy : (1 - o.accuracy) / (K - 1),
            state: { ...next, key: arrives },
            observation: keys[arrives]!,
            reward: 0,
            terminated: false,
            info: { call: "tool", success: false } as const,
          }))
          .filter(({ probability }) => probability > 0);
      }
      if (token === DONE) return end(0, false);
      if (token === (key + 1) % K) return end(key === door ? 1 : 0, key === door);
      return [
        {
          probability: 1,
          state: next,
          observation: jammed[key]!,
          reward: -o.jamCost,
          terminated: turn === o.tries,
          info: { call: "move", success: false },
        },
      ];
    },
    render: ({ door, key, turn }) =>
      `turn ${turn} of ${1 + o.tries}, door ${door + 1}, ${key === null ? "no key yet" : `key ${key + 1}`}`,
  };
}
