import { eventInWords, type CauseKind } from "./contract";

/** Names of a reward for the task itself, which others only help with. */
const task = /acc|correct|answer|success|exact|match|reason|task|outcome|verif|em$|f1/i;
/** Share of its level that a part loses. */
const HALF = 0.5;

export const partsApart: CauseKind = {
  title: "a part of the reward falls while its sum does not",
  section: "reward-parts",
  lesson: "06-agentic-pomdp",
  basis:
    "threads: 1 of 45; public logs: 1 of 18 healthy ones has a part that falls (62 for a part named after the task, else 40)",
  look: ({ run }) => {
    if (run === undefined || run.verdict.success.kind === "fell") return undefined;
    const fallen = run.parts.filter(
      ({ rose, before, extreme, recovered }) =>
        !rose && !recovered && Math.abs(before - extreme) > HALF * Math.abs(before),
    );
    const [first] = [...fallen].sort((a, b) => Number(task.test(b.title)) - Number(task.test(a.title)));
    if (first === undefined) return undefined;
    const rising = run.parts.filter(({ rose, recovered }) => rose && !recovered);
    return {
      evidence: [
        ...[first, ...fallen.filter((one) => one !== first)].map(eventInWords),
        ...rising.map(eventInWords),
        "the sum hides it: what it pays for now is the other parts",
      ],
      weight: task.test(first.title) ? 62 : 40,
      change: [],
      advice:
        "check the sign and the scale of that part; give the others a smaller weight, or pay for them only where the task is solved",
    };
  },
};
