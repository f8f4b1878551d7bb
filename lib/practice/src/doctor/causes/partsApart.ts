import type { Change } from "../../lint";
import type { LogRecord } from "../../logs/runs";
import type { SignalEvent } from "../../report/events";
import type { View } from "../view";
import { eventInWords, have, lintInWords, lintOf, type CauseKind } from "./contract";

/** Names of a reward for the task itself, which others only help with. */
const task = /acc|correct|answer|success|exact|match|reason|task|outcome|verif|em$|f1/i;
/** Names of how an answer looks, which may have such a word, too. */
const manner = /format|length|style|tag|xml|language|template/i;
const isTask = (title: string): boolean => task.test(title) && !manner.test(title);
/** The weight where the part is named after the task. */
export const OF_THE_TASK = 62;
/** Share of its level that a part loses. */
const HALF = 0.5;

/** Weight of a part that only helps, where the one for the task counts 1. */
const LIGHT = 0.2;

/** Weights of the reward functions by which the part that fell counts more than the others; none where the order is not known. */
function lighter(view: View, fallen: readonly SignalEvent[]): readonly Change[] {
  const names = [
    ...new Set((view.run!.records as readonly LogRecord[]).flatMap(({ parts }) => Object.keys(parts ?? {}))),
  ];
  if (fallen.length === 0 || names.length < 2 || view.config === undefined) return [];
  const isFallen = (name: string): boolean => fallen.some(({ title }) => title === `the part ${name}`);
  return have(view, { setting: "rewardWeights", value: names.map((name) => (isFallen(name) ? 1 : LIGHT)) });
}

export const partsApart: CauseKind = {
  title: "a part of the reward falls while its sum does not",
  section: "reward-parts",
  lesson: "06-agentic-pomdp",
  basis:
    "threads: 1 of 45; public logs: 1 of 18 healthy ones has a part that falls (62 for a part named after the task, else 40)",
  look: (view) => {
    const { run } = view;
    if (run === undefined || run.verdict.success.kind === "fell") return undefined;
    const fallen = run.parts.filter(
      ({ rose, before, extreme, recovered }) =>
        !rose && !recovered && Math.abs(before - extreme) > HALF * Math.abs(before),
    );
    const [first] = [...fallen].sort((a, b) => Number(isTask(b.title)) - Number(isTask(a.title)));
    if (first === undefined) return undefined;
    const config = lintOf(view, "no-anchor");
    const rising = run.parts.filter(({ rose, recovered }) => rose && !recovered);
    return {
      evidence: [
        ...[first, ...fallen.filter((one) => one !== first)].map(eventInWords),
        ...rising.map(eventInWords),
        "the sum hides it: what it pays for now is the other parts",
        ...config.map(lintInWords),
      ],
      weight: isTask(first.title) ? OF_THE_TASK : 40,
      change: [
        ...lighter(
          view,
          fallen.filter(({ title }) => isTask(title)),
        ),
        ...config.flatMap(({ change }) => change),
      ],
      advice:
        "check the sign and the scale of that part; give the others a smaller weight, or pay for them only where the task is solved",
    };
  },
};
