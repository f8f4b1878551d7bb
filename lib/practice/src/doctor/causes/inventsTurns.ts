import { short } from "turnwise/internal/base/curve";
import { eventInWords, eventsIn, type CauseKind } from "./contract";

const OFTEN = 0.05;

export const inventsTurns: CauseKind = {
  title: "the agent writes the environment's turns itself",
  section: "tools-no-longer-called",
  lesson: "06-agentic-pomdp",
  basis: "threads: 1 of 45; judged by what inventors earn next to the others",
  look: (view) => {
    const often = view.rollouts.filter(({ census }) => census.invents > OFTEN);
    if (often.length === 0) return undefined;
    // Where that pays better than the rest, it is taught.
    const pays = often.some(
      ({ census: { rewardOfInventors: own, rewardOfOthers: rest } }) =>
        own !== undefined && rest !== undefined && own > rest,
    );
    return {
      evidence: [
        ...often.map(
          ({ census }) =>
            `${Math.round(100 * census.invents)}% of ${census.trajectories} stored rollouts hold a turn of the user or a tool that the agent wrote` +
            (census.rewardOfInventors === undefined || census.rewardOfOthers === undefined
              ? ""
              : `; they earn ${short(census.rewardOfInventors)}, the others ${short(census.rewardOfOthers)}`),
        ),
        ...eventsIn(view, ["tools/calls", "turns/mean"], false).map(eventInWords),
      ],
      weight: pays ? 78 : 52,
      change: [],
      advice:
        "end an answer at the marks of other roles (stop strings), and give no reward to one whose tool call is malformed or whose turns it wrote itself",
    };
  },
};
