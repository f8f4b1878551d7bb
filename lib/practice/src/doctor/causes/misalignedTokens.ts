import { eventInWords, eventsIn, type CauseKind } from "./contract";
import { checksOf } from "./rolloutChecks";

export const misalignedTokens: CauseKind = {
  title: "masks or log-probs belong to the token before or after",
  section: "misaligned-tokens",
  lesson: "05-off-policy-stability",
  basis:
    "arithmetic: log-probs that agree three times better one token further on belong there (85); threads: 3 of 45",
  look: (view) => {
    const found = checksOf(view, "misaligned");
    if (found.length === 0) return undefined;
    return {
      evidence: [
        ...found.map(({ file, check }) => `${file}: ${check.where}`),
        ...eventsIn(
          view,
          ["mismatch/logProbGap", "mismatch/probGap", "mismatch/kl", "mismatch/approxKl"],
          true,
        ).map(eventInWords),
      ],
      weight: 85,
      change: [],
      advice:
        "log-prob i must be of token i given the tokens before it: logits are shifted by one against the tokens that they predict, so shift exactly once, and drop the log-prob that an engine gives for a stop token that it does not return",
    };
  },
};
