import { clear, found, inapplicable, type Finding } from "../contract";
import { bounds, widthOf } from "./widths";

export const wideClip: Finding = {
  title: "The upper bound of the ratio is very wide",
  severity: "note",
  confidence: "possible",
  why: "A bound above .5 is seldom met, so that the clip limits little. Entropy then rises, as it is rare tokens that gain.",
  source: "DAPO, arXiv 2503.14476, section 3.1 (clip-higher, .28)",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const { gate, update, ratio } = s.rule;
    const width = gate.kind === "cispo" ? undefined : widthOf(gate);
    if (width === undefined || ratio.level !== "token")
      return inapplicable("its gate has no bound around the ratio of a token");
    if (update.epochs * update.minibatches === 1) return inapplicable("one step a batch: every ratio is 1");
    if (width <= 0.5) return clear;
    return found(`ratios up to ${1 + width}`, bounds(s));
  },
};
