import { count, oneOf, renamed } from "../../schema";
import { advantage, undiscounted } from "./contract";
import { perTurnAdvantage } from "./turnGroups";

export const perTurn = advantage({
  help: "Credit of a turn minus the mean over the turns of the same index and task, its own included or left out.",
  equation: String.raw`A_k=c_k-\mathrm{mean}_{\text{same task, same }k}(c),\quad c_k=R_k,\ \textstyle\sum_{j\ge k}R_j\ \text{or}\ R`,
  source:
    "CM2, arXiv 2602.12268, github.com/namezhenzhang/CM2-RLCR-Tool-Agent; leave-one-out: github.com/hectopascal/agent-credit-bench, src/agent_credit_bench/estimators/turn_loo.py",
  fields: {
    credit: oneOf(["reward", "rewardToGo", "return"], {
      help: "Credit of a turn: its own reward, the sum of rewards from it on, or that of all.",
    }),
    baseline: oneOf(["mean", "leaveOneOut"], {
      help: "The mean over all trajectories that are still alive at that turn, or over the others alone.",
    }),
    onlyMember: renamed(
      "alone",
      oneOf(["zero", "credit"], {
        help: "Advantage of the only trajectory alive at a turn: nothing, or its credit.",
      }),
    ),
    minGroup: count(2, { help: "Groups with fewer turns of an index get advantage 0." }),
  },
  label: ({ credit, baseline }) => `perTurn, ${credit}${baseline === "leaveOneOut" ? " of the others" : ""}`,
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) => perTurnAdvantage(batch, reward, o, scale),
});
