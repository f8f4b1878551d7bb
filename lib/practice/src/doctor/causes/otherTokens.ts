import { eventInWords, eventsIn, type CauseKind } from "./contract";
import { checksOf } from "./rolloutChecks";

export const otherTokens: CauseKind = {
  title: "the trainer has other tokens than the engine sampled",
  section: "misaligned-tokens",
  lesson: "06-agentic-pomdp",
  basis: "arithmetic: other ids are other tokens (55, up to 75 by the share of answers)",
  look: (view) => {
    const drifted = checksOf(view, "drifted");
    const respelled = checksOf(view, "respelled");
    if (drifted.length + respelled.length === 0) return undefined;
    const share = Math.max(...[...drifted, ...respelled].map(({ check }) => check.found / check.checked));
    return {
      evidence: [
        ...drifted.map(
          ({ check }) =>
            `${check.found} of ${check.checked} answers have other ids in the trainer: ${check.example} leaves the engine's ${check.where}`,
        ),
        ...respelled.map(
          ({ check }) =>
            `the tokens of ${check.found} of ${check.checked} turns do not spell their message: ${check.example} leaves it ${check.where}`,
        ),
        ...eventsIn(view, ["mismatch/logProbGap", "mismatch/probGap", "mismatch/kl"], true).map(eventInWords),
      ],
      weight: 55 + Math.round(20 * share),
      change: [],
      advice:
        "train on the ids that the engine returned: decoding and tokenizing again joins tokens in other ways, first at tool calls, at the ends of turns and where a template strips spaces or thoughts",
    };
  },
};
