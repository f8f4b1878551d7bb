import { GameEnv, type Game } from "turnwise/internal/env/game";
import type { Observation, Outcome } from "turnwise/internal/env/env";

interface RoutineState {
  readonly task: number;
  /** Presses done, all of them right. */
  readonly done: number;
}

/** Options of `skillEnv`. */
export interface Skills {
  /** Presses of a long routine besides the short one that it contains. */
  readonly more: number;
  /** The presses of the action that was added to the buttons; without it there are buttons alone. */
  readonly skill?: readonly number[];
  /** The task that is set; by default each of the three equally often. */
  readonly task?: number;
}

const BUTTONS = 4;
const SHORT = [0, 1, 2] as const;
/** A presses-long beginning and end around the short routine. */
const around = { 1: [[3], []], 2: [[3], [1]], 3: [[3, 2], [1]] } as const;
const mirrored = (presses: readonly number[]): number[] => presses.map((press) => 3 - press);

/** The routines of the three tasks: a short one, and two that contain it. */
export function routines(more: number): readonly (readonly number[])[] {
  if (!Object.hasOwn(around, more)) {
    throw new RangeError(`Cannot make routines: more must be one of 1, 2 and 3, got ${more}.`);
  }
  const [before, after] = around[more as keyof typeof around];
  return [SHORT, [...before, ...SHORT, ...after], [...mirrored(before), ...SHORT, ...mirrored(after)]];
}

/**
 * Three devices, each with a routine of presses among four buttons; a wrong press ends the episode, a finished routine pays 1.
 *
 * An added action presses its buttons one after the other, in one turn.
 */
export function skillEnv(options: Skills): GameEnv<RoutineState> {
  return new GameEnv(skillGame(options));
}

function skillGame({ more, skill, task }: Skills): Game<RoutineState> {
  const tasks = routines(more);
  const longest = Math.max(...tasks.map(({ length }) => length));
  const actions: (readonly number[])[] = Array.from({ length: BUTTONS }, (_, button) => [button]);
  if (skill) actions.push(skill);
  const V = actions.length;
  const vocabulary = actions.map((presses) => presses.map((press) => "ABCD"[press]).join(""));
  const observationVocabulary = tasks.flatMap((_, device) =>
    Array.from({ length: longest + 1 }, (__, done) => `device-${device + 1}-done-${done}`),
  );
  const shown = ({ task: device, done }: RoutineState): Observation => ({
    tokens: [V + device * (longest + 1) + done],
    text: `device ${device + 1}, ${done} done`,
  });
  const devices = task === undefined ? tasks.map((_, device) => device) : [task];
  return {
    spec: {
      id: "Routines-v0",
      skill: "reuse a routine as one action",
      vocabulary,
      observationVocabulary,
      maxTurns: longest,
      maxTokens: 1,
      options: { more, ...(skill && { skill }), ...(task !== undefined && { task }) },
    },
    start: () =>
      devices.map((device) => ({
        probability: 1 / devices.length,
        state: { task: device, done: 0 },
        observation: shown({ task: device, done: 0 }),
        reward: 0,
        terminated: false,
        taskId: `device-${device + 1}`,
      })),
    transition(state, [token]): Outcome<RoutineState>[] {
      const routine = tasks[state.task]!;
      const presses = actions[token!]!;
      const isRight = presses.every((press, i) => routine[state.done + i] === press);
      const next = isRight ? { ...state, done: state.done + presses.length } : state;
      const success = isRight && next.done === routine.length;
      return [
        {
          probability: 1,
          state: next,
          observation: shown(next),
          reward: success ? 1 : 0,
          terminated: success || !isRight,
          info: { call: presses.length > 1 ? "tool" : "move", success } as const,
        },
      ];
    },
    render: (state) => shown(state).text,
  };
}
