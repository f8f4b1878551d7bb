import type { CauseKind } from "./contract";

/** Number of updates after a resume in which a fall is attributed to it. */
const SOON = 10;

export const afterAResume: CauseKind = {
  title: "success fell right after a resume",
  section: "after-a-resume",
  lesson: "11-your-own-run",
  basis: "threads: 2 of 45, for a fall within ten updates of the resume (75)",
  look: (view) => {
    const { run } = view;
    if (run === undefined || run.verdict.success.kind !== "fell") return undefined;
    const { onset } = run.verdict.dip!;
    const near = run.resumed.find(({ at }) => onset >= at - 2 && onset <= at + SOON);
    if (near === undefined) return undefined;
    return {
      evidence: [
        `the run was resumed at step ${near.at} after ${near.after}, and success fell from step ${onset} on`,
      ],
      weight: 75,
      change: [],
      advice:
        "compare optimizer state, learning rate schedule, reference model and data order before and after: one of them was not restored",
    };
  },
};
