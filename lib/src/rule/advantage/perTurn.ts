import { count, oneOf } from "../../schema";
import { advantage, undiscounted } from "./contract";
import { perTurnAdvantage } from "./turnGroups";

export const perTurn = advantage({
  help: "What a turn earned minus the mean over the turns of the same index and task.",
  equation: String.raw`A_k=c_k-\mathrm{mean}_{\text{same task, same }k}(c),\quad c_k=r_k\ \text{or}\ \textstyle\sum_{j\ge k}r_j`,
  source: "CM2, arXiv 2602.12268, github.com/namezhenzhang/CM2-RLCR-Tool-Agent",
  fields: {
    credit: oneOf(["reward", "rewardToGo"], {
      help: "What a turn is credited with: its own reward, or the sum of rewards from it on.",
    }),
    minGroup: count(2, { help: "Groups with fewer turns of an index get advantage 0." }),
  },
  label: ({ credit }) => `perTurn, ${credit}`,
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) => perTurnAdvantage(batch, reward, o, scale),
});
