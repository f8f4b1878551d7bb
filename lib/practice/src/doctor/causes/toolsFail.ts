import { eventInWords, eventsIn, precedence, timing, type CauseKind } from "./contract";

export const toolsFail: CauseKind = {
  title: "tool calls fail",
  section: "tools-no-longer-called",
  lesson: "06-agentic-pomdp",
  basis: "judgment: services fail in healthy runs, too (40)",
  look: (view) => {
    const more = eventsIn(view, ["tools/failed"], true);
    const counted = view.rollouts.filter(({ census }) => census.toolErrors > 0.3);
    const [first] = more;
    if (first === undefined && counted.length === 0) return undefined;
    return {
      evidence: [
        ...more.map(eventInWords),
        ...counted.map(
          ({ census }) =>
            `${Math.round(100 * census.toolErrors)}% of ${census.trajectories} rollouts hear of an error from a tool`,
        ),
      ],
      weight: 40 + (first ? timing(view, first) + precedence(view, first) : 0),
      change: [],
      advice:
        "read the answers of the tools: a service that is down, or a call that the schema does not allow, looks like a bad policy",
    };
  },
};
