import { have, type CauseKind } from "./contract";
import { notFiniteInWords } from "turnwise/internal/monitor/notFinite";

export const nan: CauseKind = {
  title: "a number of the trainer is NaN",
  section: "nan",
  lesson: "05-off-policy-stability",
  look: (view) => {
    const { run } = view;
    const found = run?.verdict.notFinite ?? [];
    if (found.length === 0) return undefined;
    const lasts = found.some((one) => one.lasts || one.recurs);
    return {
      evidence: notFiniteInWords(found),
      weight: lasts ? 100 : 45,
      change: have(view, { setting: "maxGradNorm", value: 1 }, { setting: "learningRate", value: 1e-6 }),
      advice:
        "resume from a checkpoint before the first of these steps; if the loss itself is NaN, look for empty answers and for masks without a token",
    };
  },
};
