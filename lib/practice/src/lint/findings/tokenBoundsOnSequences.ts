import { clear, found, inapplicable, type Finding } from "../contract";
import { bounds, widthOf } from "./widths";

export const tokenBoundsOnSequences: Finding = {
  title: "Bounds for tokens with ratios of sequences",
  severity: "warning",
  confidence: "certain",
  why: "A geometric mean over a whole answer moves by thousandths. Bounds of .2 around it are never met, so that the clip does nothing.",
  source: "GSPO, arXiv 2507.18071, section 5.1 (3e-4 and 4e-4)",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const { gate, ratio } = s.rule;
    const width = widthOf(gate);
    if (width === undefined) return inapplicable("its gate has no bounds around 1");
    if (ratio.level !== "trajectory" || ratio.pooling !== "geometric") return clear;
    if (gate.kind === "logClip") return inapplicable("its bounds are of GMPO, per token in the logarithm");
    if (width < 0.02) return clear;
    return found(`bounds of ${width} around the geometric mean of a sequence`, bounds(s, 3e-4, 4e-4));
  },
};
