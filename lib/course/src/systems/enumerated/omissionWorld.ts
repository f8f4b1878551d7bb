import { GameEnv, type Game } from "turnwise/internal/env/game";
import type { Observation, Outcome } from "turnwise/internal/env/env";

/** Payment at the end of an episode: for the answer, for the answer and what was not read, or the number of units read. */
export type OmissionPay = "answer" | "answer and saving" | "answer and saving, not gated" | "units";

/** Options of `omissionEnv`. */
export interface Omission {
  readonly pay: OmissionPay;
  /** Weight of the saving; the answer has the rest. */
  readonly weight?: number;
  /** Whether the agent can leave pages out; otherwise its context grows by each page. Default: true. */
  readonly canOmit?: boolean;
}

interface DeskState {
  readonly turn: number;
  /** The value that is asked for at the end. */
  readonly value: number;
  /** Turn of the page that states it. */
  readonly factAt: number;
  /** Tokens of the pages in the context. */
  readonly kept: readonly number[];
  /** Token of the page that is new. */
  readonly page: number;
  /** Pages read so far, each once for every turn that it was in the context, and thoughts written. */
  readonly units: number;
}

const PAGES = 3;
const VALUES = 3;
const FILLERS = 2;
/** Chance that a fact is kept as one of the other values if no thought was written about it. */
const SLIP = 0.4;
const words = ["keep", "omit", "think, keep", "think, omit"] as const;
const ANSWER = words.length;
const FACT = ANSWER + VALUES;
const FILLER = FACT + VALUES;
const QUESTION = FILLER + FILLERS;

/** The units of an episode with all pages and all thoughts: 1 + 2 + 3 pages, all three again at the question, three thoughts. */
export const fullReading = (PAGES * (PAGES + 1)) / 2 + 2 * PAGES;

/**
 * Three pages, one a turn, then a question. One page states a value, the others state nothing.
 *
 * The observation is the context itself: the pages that the agent has kept, and the new one. Each page in the context costs a unit at
 * every turn, and each thought costs one. Without a thought, a fact is kept wrongly four times of ten. A page that is left out is gone.
 */
export function omissionEnv(options: Omission): GameEnv<DeskState> {
  return new GameEnv(omissionGame(options));
}

function omissionGame({ pay, weight = 0, canOmit = true }: Omission): Game<DeskState> {
  const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  const names = [
    ...range(VALUES).map((value) => `value-${value + 1}`),
    ...range(FILLERS).map((filler) => `filler-${filler + 1}`),
    "question",
    "over",
  ];
  const shown = ({ kept, page, turn }: DeskState): Observation => {
    const tokens = [...kept, turn < PAGES ? page : QUESTION];
    return { tokens, text: tokens.map((token) => names[token - FACT]).join(", ") };
  };
  const over: Observation = { tokens: [QUESTION + 1], text: "over" };
  const paid = (isRight: boolean, units: number): number => {
    const right = isRight ? 1 : 0;
    const saving = 1 - units / fullReading;
    if (pay === "units") return units;
    if (pay === "answer") return right;
    const earned = pay === "answer and saving" ? right * saving : saving;
    return (1 - weight) * right + weight * earned;
  };
  /** The next page, as every page that it can be: the fact at its turn, else a filler. */
  const turned = (state: Omit<DeskState, "page">): { probability: number; state: DeskState }[] => {
    if (state.turn === PAGES) return [{ probability: 1, state: { ...state, page: QUESTION } }];
    if (state.turn === state.factAt) {
      return [{ probability: 1, state: { ...state, page: FACT + state.value } }];
    }
    return range(FILLERS).map((filler) => ({
      probability: 1 / FILLERS,
      state: { ...state, page: FILLER + filler },
    }));
  };
  return {
    spec: {
      id: "Omission-v0",
      skill: "keep what is asked for later, and leave out the rest",
      vocabulary: [...words, ...range(VALUES).map((value) => `answer-${value + 1}`)],
      observationVocabulary: names,
      maxTurns: PAGES + 1,
      maxTokens: 1,
      options: { pay, weight, canOmit },
    },
    start: () =>
      range(PAGES).flatMap((factAt) =>
        range(VALUES).flatMap((value) =>
          turned({ turn: 0, value, factAt, kept: [], units: 0 }).map(({ probability, state }) => ({
            probability: probability / (PAGES * VALUES),
            state,
            observation: shown(state),
            reward: 0,
            terminated: false,
          })),
        ),
      ),
    transition(state, [token]): Outcome<DeskState>[] {
      const { turn, kept, page, value, units } = state;
      if (turn === PAGES) {
        const success = token === ANSWER + value;
        const read = units + kept.length;
        const info = { call: "answer", success } as const;
        return [
          { probability: 1, state, observation: over, reward: paid(success, read), terminated: true, info },
        ];
      }
      // An answer before the question is not understood: the page is kept without a thought.
      const word = token! < ANSWER ? token! : 0;
      const thinks = word >= 2;
      const keeps = word % 2 === 0 || !canOmit;
      const isFact = page < FILLER;
      const wrong = range(VALUES).filter((other) => FACT + other !== page);
      const noted =
        !keeps || !isFact || thinks
          ? [{ probability: 1, page }]
          : [
              { probability: 1 - SLIP, page },
              ...wrong.map((other) => ({ probability: SLIP / wrong.length, page: FACT + other })),
            ];
      const read = units + kept.length + 1 + (thinks ? 1 : 0);
      const info = { call: "move", success: false } as const;
      return noted.flatMap((note) =>
        turned({ ...state, turn: turn + 1, kept: keeps ? [...kept, note.page] : kept, units: read }).map(
          (next) => ({
            probability: note.probability * next.probability,
            state: next.state,
            observation: shown(next.state),
            reward: 0,
            terminated: false,
            info,
          }),
        ),
      );
    },
    render: (state) => `turn ${state.turn} of ${PAGES + 1}, ${shown(state).text}, ${state.units} units`,
  };
}
