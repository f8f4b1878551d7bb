import type { CauseKind } from "./contract";
import { checksOf } from "./rolloutChecks";

export const paddingTrained: CauseKind = {
  title: "padding after the end of an answer is trained on",
  section: "padding",
  lesson: "06-agentic-pomdp",
  basis: "arithmetic where a stored mask trains it (78); 50 where the file has no mask",
  look: (view) => {
    const found = checksOf(view, "padded");
    if (found.length === 0) return undefined;
    const isStored = found.some(({ mask }) => mask.isStored);
    return {
      evidence: found.map(
        ({ check, mask }) =>
          `${check.found} of ${check.checked} tokens come after the end of an answer (${check.where}), and ` +
          (mask.isStored ? "the stored mask trains them" : "the file holds no mask that leaves them out"),
      ),
      weight: isStored ? 78 : 50,
      change: [],
      advice:
        "end the mask of an answer with its first end token: a mask of all tokens that are not the padding token keeps padding where that is the end token, or drops the end itself",
    };
  },
};
