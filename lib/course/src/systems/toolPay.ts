import { GameEnv, type Game } from "turnwise/internal/env/game";
import type { Observation } from "turnwise/internal/env/env";

/** Payment for tool calls: none, for each call, or for each call of an episode whose answer is right. */
export interface ToolPay {
  readonly pay: number;
  readonly when: "never" | "eachCall" | "ifRight";
}

interface LookState {
  readonly side: number;
  readonly turn: number;
  readonly looks: number;
}

const SIDES = 4;
const TURNS = 4;
const REVEALS = 0.6;
const PRICE = 0.05;
const LOOK = SIDES;

/**
 * A question with four answers, and a tool that reveals the right one in six of ten calls, at a price of .05 each; four turns in all.
 *
 * A policy that answers at random earns .25. So does one that looks and does not read, less the price: at the start, looking does not pay.
 */
export function toolPayEnv(given: ToolPay = { pay: 0, when: "never" }): GameEnv<LookState> {
  return new GameEnv(toolPayGame(given, PRICE, 1));
}

/** The same world with another reward: the number of tool calls. */
export function toolCallsEnv(): GameEnv<LookState> {
  return new GameEnv(toolPayGame({ pay: 1, when: "eachCall" }, 0, 0));
}

function toolPayGame({ pay, when }: ToolPay, price: number, right: number): Game<LookState> {
  const sides = Array.from({ length: SIDES }, (_, side) => side);
  const question: Observation = { tokens: [SIDES + 1], text: "which side?" };
  const revealed = sides.map((side): Observation => ({
    tokens: [SIDES + 2 + side],
    text: `it is side ${side + 1}`,
  }));
  const nothing: Observation = { tokens: [2 * SIDES + 2], text: "nothing to see" };
  const over: Observation = { tokens: [2 * SIDES + 3], text: "over" };
  return {
    spec: {
      id: "ToolPay-v0",
      skill: "call a tool that has a price, and read its result",
      vocabulary: [...sides.map((side) => `side-${side + 1}`), "LOOK"],
      observationVocabulary: ["question", ...sides.map((side) => `is-${side + 1}`), "nothing", "over"],
      maxTurns: TURNS,
      maxTokens: 1,
      options: { pay, when, price, right },
    },
    start: () =>
      sides.map((side) => ({
        probability: 1 / SIDES,
        state: { side, turn: 0, looks: 0 },
        observation: question,
        reward: 0,
        terminated: false,
      })),
    transition({ side, turn, looks }, [token]) {
      if (token !== LOOK) {
        const isRight = token === side;
        const bonus = isRight && when === "ifRight" ? pay * looks : 0;
        return [
          {
            probability: 1,
            state: { side, turn: turn + 1, looks },
            observation: over,
            reward: (isRight ? right : 0) + bonus,
            terminated: true,
            info: { call: "answer", success: isRight } as const,
          },
        ];
      }
      const state = { side, turn: turn + 1, looks: looks + 1 };
      const reward = (when === "eachCall" ? pay : 0) - price;
      const terminated = turn + 1 === TURNS;
      const info = { call: "tool", success: false } as const;
      return [
        { probability: REVEALS, state, observation: revealed[side]!, reward, terminated, info },
        { probability: 1 - REVEALS, state, observation: nothing, reward, terminated, info },
      ];
    },
    render: ({ side, turn, looks }) => `turn ${turn} of ${TURNS}, side ${side + 1}, ${looks} looks`,
  };
}
