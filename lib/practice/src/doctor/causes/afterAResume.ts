import { short } from "turnwise/internal/base/curve";
import { earlyLossOf } from "../../report/learned";
import type { View } from "../view";
import { lintInWords, lintOf, type CauseKind, type Evidence } from "./contract";

/** Number of updates after a resume in which a fall is attributed to it. */
const SOON = 10;
/** A log that begins later is of a run that was resumed. */
const LATEST_START = 10;

/** Success that only the first steps after a resume still have. */
function atOnce(view: View): Evidence | undefined {
  const { run } = view;
  const lost = run && earlyLossOf(run.records);
  if (lost === undefined || run!.first <= LATEST_START) return undefined;
  const config = lintOf(view, "adapter-not-sent");
  return {
    evidence: [
      `the log begins at step ${run!.first}, so the run was resumed; success was ${short(lost.before)} then, and is ${short(lost.after)} from step ${lost.at} on`,
      ...config.map(lintInWords),
    ],
    weight: 70 + 10 * config.length,
    change: [],
    advice:
      config[0]?.advice ??
      "the first rollouts were sound, and the first update or the first weights that were sent broke the policy: compare optimizer state, learning rate and the engine's weights before and after it",
  };
}

export const afterAResume: CauseKind = {
  title: "success fell right after a resume",
  section: "after-a-resume",
  lesson: "11-your-own-run",
  basis:
    "threads: 2 of 45, for a fall within ten updates of the resume (75); 1 of 77 for one right after its first step (70)",
  look: (view) => {
    const { run } = view;
    if (run === undefined || run.verdict.success.kind !== "fell") return atOnce(view);
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
