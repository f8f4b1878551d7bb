import { fraction, group, number, type Static } from "../schema";
import type { Outcome } from "./env";
import { GameEnv, type Game } from "./game";
import { readOptions } from "./options";
import { world } from "./world";

const schema = group({
  safeReward: number(0.15, {
    atLeast: -100,
    atMost: 100,
    help: "Reward of the safe arm: .15 in RAGEN's paper, .1 in its repository.",
  }),
  riskyChance: fraction(0.25, { help: "Chance that the risky arm pays riskyReward, else 0." }),
  riskyReward: number(1, { atLeast: -100, atMost: 100, help: "Reward of the risky arm when it pays." }),
});

export type BiArmBanditOptions = Static<typeof schema>;

interface BanditState {
  /** The arm that is risky: 0 or 1. */
  readonly risky: number;
  readonly over: boolean;
}

export const biArmBanditWorld = world({
  id: "BiArmBandit-v0",
  about: "One choice between an arm that pays a little for sure and one that rarely pays a lot.",
  skill: "risk: a rare large reward against a sure small one",
  options: schema,
  cheapToEnumerate: true,
  small: {},
  policy: {},
  make: (options) => biArmBandit(options),
});

/**
 * BiArmBandit-v0: prefer the arm that pays more to the arm that wins more often.
 *
 * Optimum with the defaults: Dragon, .25; random .2.
 *
 * - **Action space:** one token: arm A or B.
 * - **Observation:** a prompt that says which arm is Phoenix (safe) and which is Dragon (risky).
 * - **Reward:** `safeReward` for Phoenix; for Dragon `riskyReward` with probability `riskyChance`, else 0.
 * - **Start:** either order of the arms, with probability 1/2.
 * - **End:** after the one turn.
 *
 * @see RAGEN, arXiv 2504.20073: its paper has arms of .15 and .25, its repository one of .1
 */
export function biArmBandit(options: Partial<BiArmBanditOptions> = {}): GameEnv<BanditState> {
  return new GameEnv(game(options));
}

function game(given: Partial<BiArmBanditOptions>): Game<BanditState> {
  const { id, skill } = biArmBanditWorld;
  const o = readOptions(id, schema, given);
  const shown = [
    { tokens: [2], text: "arms: A is Dragon, B is Phoenix" },
    { tokens: [3], text: "arms: A is Phoenix, B is Dragon" },
  ];
  const done = { tokens: [4], text: "done" };
  const paid = (state: BanditState, probability: number, reward: number): Outcome<BanditState> => ({
    probability,
    state: { ...state, over: true },
    observation: done,
    reward,
    terminated: true,
    info: { call: "move", success: false },
  });
  return {
    spec: {
      id,
      skill,
      vocabulary: ["A", "B"],
      observationVocabulary: ["Dragon-Phoenix", "Phoenix-Dragon", "done"],
      maxTurns: 1,
      maxTokens: 1,
      tools: ["A", "B"].map((arm) => ({ name: arm, about: `Pulls arm ${arm}.`, parameters: [] })),
      options: { ...o },
    },
    start: () =>
      [0, 1].map((risky) => ({
        probability: 0.5,
        state: { risky, over: false },
        observation: shown[risky]!,
        reward: 0,
        terminated: false,
        taskId: `risky=${"AB"[risky]}`,
      })),
    transition(state, [arm]) {
      if (arm !== state.risky) return [paid(state, 1, o.safeReward)];
      return [paid(state, o.riskyChance, o.riskyReward), paid(state, 1 - o.riskyChance, 0)]
        .filter(({ probability }) => probability > 0)
        .map((outcome) => ({ ...outcome, info: { call: "move", success: true } }));
    },
    render: ({ risky, over }) => `risky arm ${"AB"[risky]}${over ? ", over" : ""}`,
  };
}
