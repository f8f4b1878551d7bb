import { GameEnv, type Game } from "turnwise/internal/env/game";
import type { Observation, Outcome } from "turnwise/internal/env/env";

interface TalkState {
  readonly turn: number;
  readonly request: number;
  /** Whether all replies so far were right. */
  readonly clean: boolean;
}

/** Error rates of those who judge the next state. */
export interface Judges {
  /** Chance that a judge takes a right reply for a wrong one, or the other way round; three judges vote. */
  readonly error: number;
  /** Chance that a complaint holds a directive that is accepted. */
  readonly accepted: number;
  /** Chance that a directive names a wrong word. */
  readonly wrong: number;
}

/** Readings of the state after a reply, as the world reports them with a turn. */
export interface NextState {
  /** The majority of three judges: 1 for a right reply, -1 for a wrong one. */
  readonly vote: 1 | -1;
  /** The word that a directive names, or -1 where there is none. */
  readonly directive: number;
}

export const REQUESTS = 8;
export const WORDS = 8;
const TURNS = 3;

/** Chance that the majority of three judges errs. */
export const majorityError = (error: number): number => error * error * (3 - 2 * error);

/**
 * Three requests, one after the other, each of eight kinds with its own right word among eight; 1 is paid if all replies are right.
 *
 * After a wrong reply the user complains, and half of the complaints say which word was wanted. Neither changes the next request, and
 * the policy does not see them: a judge does, once the reply is given.
 */
export function nextStateEnv(judges: Judges): GameEnv<TalkState> {
  return new GameEnv(talk(judges));
}

function talk({ error, accepted, wrong }: Judges): Game<TalkState> {
  const requests = Array.from({ length: REQUESTS }, (_, request) => request);
  const replies = Array.from({ length: WORDS }, (_, word) => word);
  const asked = requests.map((request): Observation => ({
    tokens: [WORDS + request],
    text: `request ${request + 1}`,
  }));
  const over: Observation = { tokens: [WORDS + REQUESTS], text: "over" };
  const slip = majorityError(error);
  /** The judges' readings of the state after a reply. */
  const read = (request: number, word: number): { probability: number; read: NextState }[] => {
    const isRight = word === request;
    const votes = ([1, -1] as const).map((vote) => ({
      vote,
      probability: (vote === 1) === isRight ? 1 - slip : slip,
    }));
    const others = replies.filter((other) => other !== request && other !== word);
    const directives = isRight
      ? [{ directive: -1, probability: 1 }]
      : [
          { directive: -1, probability: 1 - accepted },
          { directive: request, probability: accepted * (1 - wrong) },
          ...others.map((other) => ({ directive: other, probability: (accepted * wrong) / others.length })),
        ];
    return votes.flatMap(({ vote, probability }) =>
      directives.map((one) => ({
        probability: probability * one.probability,
        read: { vote, directive: one.directive },
      })),
    );
  };
  return {
    spec: {
      id: "NextState-v0",
      skill: "learn from what comes after each reply",
      vocabulary: replies.map((word) => `word-${word + 1}`),
      observationVocabulary: [...requests.map((request) => `request-${request + 1}`), "over"],
      maxTurns: TURNS,
      maxTokens: 1,
      options: { error, accepted, wrong },
    },
    start: () =>
      requests.map((request) => ({
        probability: 1 / REQUESTS,
        state: { turn: 0, request, clean: true },
        observation: asked[request]!,
        reward: 0,
        terminated: false,
        taskId: `request-${request + 1}`,
      })),
    transition({ turn, request, clean }, [word]): Outcome<TalkState>[] {
      const stillClean = clean && word === request;
      const last = turn + 1 === TURNS;
      const readings = read(request, word!).filter(({ probability }) => probability > 0);
      const next = last
        ? [{ probability: 1, state: { turn: turn + 1, request, clean: stillClean }, observation: over }]
        : requests.map((following) => ({
            probability: 1 / REQUESTS,
            state: { turn: turn + 1, request: following, clean: stillClean },
            observation: asked[following]!,
          }));
      return readings.flatMap((reading) =>
        next.map(({ probability, state, observation }) => ({
          probability: probability * reading.probability,
          state,
          observation,
          reward: last && stillClean ? 1 : 0,
          terminated: last,
          info: { ...reading.read, success: last && stillClean },
        })),
      );
    },
    render: ({ turn, request }) => `turn ${turn + 1} of ${TURNS}, request ${request + 1}`,
  };
}
