import { short } from "turnwise/internal/base/curve";
import type { View } from "../view";
import type { CauseKind } from "./contract";
import { checksOf } from "./rolloutChecks";

/** So many steps of equal lengths are no chance, and such a share of all; a limit alone would give one length. */
const FEWEST = 5;
const NEARLY_ALL = 0.9;
const LENGTHS = 3;

/** Says that all answers of nearly every step are equally long, as they are where padding is counted. */
function evenInWords({ run }: View): string | undefined {
  const { steps, of, lengths } = run?.even ?? { steps: 0, of: 0, lengths: [] };
  if (steps < FEWEST || steps < NEARLY_ALL * of || lengths.length < LENGTHS) return undefined;
  return (
    `the shortest answer is as long as the longest in ${steps} of ${of} steps (${short(lengths[0]!)} to ${short(lengths.at(-1)!)} tokens), and they are not cut: ` +
    "each is counted up to the end of the longest, so what follows its end is taken for the policy's own"
  );
}

export const paddingTrained: CauseKind = {
  title: "padding after the end of an answer is trained on",
  section: "padding",
  lesson: "06-agentic-pomdp",
  basis:
    "arithmetic where a stored mask trains it (78), or all answers of nearly every step are equally long and not cut (66); 50 where the file has no mask",
  look: (view) => {
    const found = checksOf(view, "padded");
    const even = evenInWords(view);
    if (found.length === 0 && even === undefined) return undefined;
    const isStored = found.some(({ mask }) => mask.isStored);
    return {
      evidence: [
        ...found.map(
          ({ check, mask }) =>
            `${check.found} of ${check.checked} tokens come after the end of an answer (${check.where}), and ` +
            (mask.isStored ? "the stored mask trains them" : "the file holds no mask that leaves them out"),
        ),
        ...(even === undefined ? [] : [even]),
      ],
      weight: isStored ? 78 : even === undefined ? 50 : 66,
      change: [],
      advice:
        "end the mask of an answer with its first end token: a mask of all tokens that are not the padding token keeps padding where that is the end token, or drops the end itself",
    };
  },
};
