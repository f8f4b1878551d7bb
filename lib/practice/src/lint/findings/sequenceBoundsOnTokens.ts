import { clear, found, inapplicable, type Finding } from "../contract";
import { bounds, widthOf } from "./widths";

export const sequenceBoundsOnTokens: Finding = {
  title: "Bounds of GSPO with ratios of tokens",
  severity: "error",
  confidence: "certain",
  why: "GSPO clips a geometric mean over hundreds of tokens at 3e-4. Ratios of single tokens leave such bounds at once, so that almost every token is clipped from the second step on.",
  source: "GSPO, arXiv 2507.18071, section 5.1",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const { gate, ratio } = s.rule;
    const width = widthOf(gate);
    if (width === undefined) return inapplicable("its gate has no bounds around 1");
    if (ratio.level !== "token" || width > 0.02) return clear;
    return found(`bounds of ${width} around the ratio of single tokens`, bounds(s), {
      advice: "or the ratio of sequences, which these bounds were made for",
    });
  },
};
