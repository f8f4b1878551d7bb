import { eventInWords, eventsIn, numberIn, type CauseKind } from "./contract";

/** A gap that opens within so many steps is no drift. */
const JUMP = 2;
/** A learning rate that moves nothing. */
const ZERO = 1e-12;

export const weightsNotLoaded: CauseKind = {
  title: "the engine samples with other weights than the trainer has",
  section: "engines-apart",
  lesson: "05-off-policy-stability",
  basis: "arithmetic where the learning rate is 0 (78); threads: 1 of 45 for a gap that opens at once (56)",
  look: (view) => {
    const { run } = view;
    if (run === undefined) return undefined;
    const fell = run.verdict.success.kind === "fell";
    const rate = numberIn(view, "learningRate");
    const jumps = eventsIn(
      view,
      ["mismatch/logProbGap", "mismatch/probGap", "mismatch/approxKl"],
      true,
    ).filter(({ from, to, before, extreme }) => to - from <= JUMP && extreme > 4 * before);
    const isStill = fell && rate !== undefined && Math.abs(rate) < ZERO;
    if (!isStill && jumps.length === 0) return undefined;
    return {
      evidence: [
        ...(isStill
          ? [
              "success fell although the learning rate is 0: the policy is what it was, and so it is the engine's copy that has changed",
            ]
          : []),
        ...jumps.map((jump) => `${eventInWords(jump)}: a drift takes longer`),
      ],
      weight: isStill ? 78 : 56,
      change: [],
      advice:
        "compare some weights of engine and trainer after an update: those that are copied while they are gathered, dropped when the engine sleeps, or of an adapter that is not merged differ; sample once with the trainer itself, and once with vLLM's CUDA graphs off (enforce_eager), which some releases replay with the weights of an earlier step",
    };
  },
};
