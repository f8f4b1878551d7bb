import { eventInWords, eventsIn, lintInWords, lintOf, type CauseKind } from "./contract";

/** By what factor a length changes that is worth a word. */
const FAR = 1.5;

/**
 * Answers that grow or shrink where each is divided by its own length: a token of a short answer then weighs more than one of a long answer,
 * so that right answers become shorter, and wrong ones longer.
 */
export const lengthDrifts: CauseKind = {
  title: "answers change their length because each is divided by its own",
  section: "cut-answers",
  lesson: "10-language-model",
  basis: "threads: 1 of 97, with its setting; a result as often as a cause, so no headline (40)",
  look: (view) => {
    const config = lintOf(view, "length-bias");
    const drifts = [
      ...eventsIn(view, ["tokens/mean"], true),
      ...eventsIn(view, ["tokens/mean"], false),
    ].filter(
      ({ before, extreme, recovered }) => !recovered && Math.max(extreme / before, before / extreme) > FAR,
    );
    if (config.length === 0 || drifts.length === 0) return undefined;
    const shrinks = drifts.some(({ rose }) => !rose);
    return {
      evidence: [
        ...drifts.map(eventInWords),
        ...config.map(lintInWords),
        shrinks
          ? "a short right answer is pushed more for each of its tokens than a long one"
          : "a long wrong answer is pushed down less for each of its tokens than a short one",
      ],
      weight: 40,
      change: config[0]!.change,
      advice:
        "look at success beside it: a length that falls while the task is solved as often costs nothing",
    };
  },
};
