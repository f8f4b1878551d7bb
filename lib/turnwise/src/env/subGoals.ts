import { power } from "../base/elementary/power";
import { fraction, group, number, whole, type Static } from "../schema";
import type { Observation, Outcome, ToolSpec } from "./env";
import { GameEnv, type Game } from "./game";
import { readOptions } from "./options";
import { world } from "./world";

const schema = group({
  slack: whole(1, { atLeast: 0, atMost: 100, unit: "turns", help: "Turns beyond the fewest that suffice." }),
  slip: fraction(0.1, { help: "Probability that a STEP leaves the worker where it is." }),
  switchCost: number(0.1, { atLeast: 0, help: "Subtracted for every SWITCH." }),
  pickUp: fraction(0.3, { help: "Reward of the parcel taken up; delivering it pays the rest of 1." }),
});

export type SubGoalsOptions = Static<typeof schema>;

interface SubGoalsState {
  /** The end where the parcel waits: 0 left, 1 right. */
  readonly parcel: number;
  readonly carries: boolean;
  /** 0 left, 1 middle, 2 right. */
  readonly place: number;
  /** The end that the worker walks to; null before the first SWITCH. */
  readonly goal: number | null;
  readonly turn: number;
}

export const subGoalsWorld = world({
  id: "SubGoals-v0",
  about:
    "A manager keeps or switches the end to walk to; a worker walks there, takes a parcel up and delivers it.",
  skill: "hierarchy: choose a subgoal, keep it while it serves, switch when it is reached",
  options: schema,
  cheapToEnumerate: true,
  small: { slack: 0 },
  policy: { memory: "turnObservation", syntaxPrior: 3 },
  make: (options) => subGoals(options),
});

const KEEP = 0;
const SWITCH = 1;
const STEP = 4;
const vocabulary = ["KEEP", "SWITCH", "LEFT", "RIGHT", "STEP", "WORK"];
const ends = ["left", "right"];
const places = ["left", "middle", "right"];
const observationVocabulary = [
  ...places.map((place) => `at-${place}`),
  "no-goal",
  ...ends.map((end) => `goal-${end}`),
  ...ends.map((end) => `parcel-${end}`),
  ...ends.map((end) => `to-${end}`),
  "error",
  "over",
];

const WORK = {
  name: "action",
  about: "STEP walks one place toward the subgoal; WORK takes the parcel up or delivers it here",
  values: ["STEP", "WORK"],
};
const TOOLS: readonly ToolSpec[] = [
  {
    name: "KEEP",
    about: "Keeps the subgoal and acts.",
    parameters: [WORK],
    turn: ["KEEP", { filler: "LEFT" }, { parameter: "action" }],
  },
  {
    name: "SWITCH",
    about: "Makes an end of the corridor the subgoal, at a cost, and acts.",
    parameters: [{ name: "end", values: ["LEFT", "RIGHT"] }, WORK],
  },
];

/**
 * SubGoals-v0: a manager chooses where to go and a worker goes there.
 *
 * A parcel waits at one end of a corridor of three places and is wanted at the other; the worker begins in the middle. The fewest
 * turns are five: SWITCH and STEP, KEEP and WORK, SWITCH and STEP, KEEP and STEP, KEEP and WORK. All that counts is shown, so the
 * optimum needs no memory. `spec.roles` and `info.switched` tell rules with segments what a turn decided.
 *
 * - **Action space:** a turn has three words: KEEP or SWITCH, LEFT or RIGHT, STEP or WORK. SWITCH makes the second word the
 *   subgoal; after KEEP the second word means nothing. STEP moves one place toward the subgoal, unless it slips (probability
 *   `slip`); WORK takes the parcel up where it waits, and delivers it where it is wanted.
 * - **Observation:** the parcel's place, whether the worker has it, the worker's place and the subgoal; with an error after a
 *   malformed turn, which is used up.
 * - **Reward:** `pickUp` for taking the parcel up, 1 - `pickUp` for delivering it; every SWITCH costs `switchCost`.
 * - **Start:** the parcel waits at either end with probability 1/2.
 * - **End:** at the delivery, or `slack` turns after the fewest that suffice.
 *
 * @see HiPER, arXiv 2602.16165, whose turns hold a switch decision, a subgoal and an action
 */
export function subGoals(options: Partial<SubGoalsOptions> = {}): GameEnv<SubGoalsState> {
  return new GameEnv(game(options));
}

function show({ parcel, carries, place, goal }: SubGoalsState, error = false): Observation {
  const load = (carries ? 8 + 1 - parcel : 6 + parcel) + vocabulary.length;
  const tokens = [place + vocabulary.length, (goal === null ? 3 : 4 + goal) + vocabulary.length, load];
  const text =
    `at the ${places[place]!}${place === 1 ? "" : " end"}, ` +
    `${goal === null ? "no subgoal" : `subgoal ${ends[goal]!}`}, ` +
    (carries
      ? `carrying the parcel to the ${ends[1 - parcel]!}`
      : `the parcel waits at the ${ends[parcel]!}`);
  if (!error) return { tokens, text };
  return {
    tokens: [...tokens, 10 + vocabulary.length],
    text: `error: not KEEP or SWITCH, an end, STEP or WORK; ${text}`,
  };
}

const over: Observation = { tokens: [11 + vocabulary.length], text: "over" };

function game(given: Partial<SubGoalsOptions>): Game<SubGoalsState> {
  const { id, skill } = subGoalsWorld;
  const o = readOptions(id, schema, given);
  const turns = 5 + o.slack;
  const syntax = [0, 2, 4].map((first) => [first, first + 1]);
  const isWellFormed = (action: readonly number[]): boolean =>
    syntax.every((allowed, place) => allowed.includes(action[place]!));
  const effects = [
    [KEEP, 2, STEP],
    [KEEP, 2, STEP + 1],
    ...[2, 3].flatMap((end) => [STEP, STEP + 1].map((work) => [SWITCH, end, work])),
  ];
  return {
    spec: {
      id,
      skill,
      vocabulary,
      observationVocabulary,
      maxTurns: turns,
      maxTokens: 3,
      syntax,
      tools: TOOLS,
      roles: ["switch", "subgoal", "action"],
      options: { ...o },
    },
    start: () =>
      ends.map((end, parcel) => {
        const state = { parcel, carries: false, place: 1, goal: null, turn: 0 };
        return {
          probability: 0.5,
          state,
          observation: show(state),
          reward: 0,
          terminated: false,
          taskId: `parcel=${end}`,
        };
      }),
    transition(state, action) {
      const turn = state.turn + 1;
      const outcome = (
        probability: number,
        after: SubGoalsState,
        reward: number,
        info: Outcome<SubGoalsState>["info"],
        error = false,
      ): Outcome<SubGoalsState> => {
        const terminated = turn === turns || info?.success === true;
        return {
          probability,
          state: after,
          observation: terminated ? over : show(after, error),
          reward,
          terminated,
          info: info!,
        };
      };
      if (!isWellFormed(action)) {
        const info = { call: "malformed", success: false, switched: false } as const;
        return [outcome(1, { ...state, turn }, 0, info, true)];
      }
      const switched = action[0] === SWITCH;
      const cost = switched ? -o.switchCost : 0;
      const now = { ...state, goal: switched ? action[1]! - 2 : state.goal, turn };
      if (action[2] === STEP) {
        const info = { call: "move", success: false, switched } as const;
        const target = now.goal === null ? now.place : 2 * now.goal;
        const place = now.place + Math.sign(target - now.place);
        if (place === now.place) return [outcome(1, now, cost, info)];
        return [outcome(1 - o.slip, { ...now, place }, cost, info), outcome(o.slip, now, cost, info)].filter(
          ({ probability }) => probability > 0,
        );
      }
      const there = now.place === 2 * (now.carries ? 1 - now.parcel : now.parcel);
      const delivered = there && now.carries;
      const paid = delivered ? 1 - o.pickUp : there ? o.pickUp : 0;
      const info = { call: delivered ? "answer" : "tool", success: delivered, switched } as const;
      return [outcome(1, { ...now, carries: now.carries || there }, cost + paid, info)];
    },
    actionClasses: () => [
      ...effects.map((action) => ({ action, share: (action[0] === KEEP ? 2 : 1) / power(6, 3) })),
      { action: [0, 0, 0], share: 1 - 8 / power(6, 3) },
    ],
    render: (state) => `turn ${state.turn} of ${turns}, ${show(state).text}`,
  };
}
