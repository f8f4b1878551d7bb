import { number } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";

export const outcomePlusStep = advantage({
  help: "The return plus the turn's step reward, compared with those of the group at the same turn.",
  equation: String.raw`A_t=\frac{c_t-\mathrm{mean}_{\text{same }t}(c)}{F},\quad c_t=R_i+ws_t`,
  source:
    "RLAnything, arXiv 2602.02488; reward/alfworld_rl_reward.py:31 in github.com/Gen-Verse/Open-AgentRL at 1fe5dbd",
  fields: { weight: number(1, { atLeast: 0, help: "Weight of the step reward beside the outcome." }) },
  label: ({ weight }) => `outcome + ${weight} step`,
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign({ weight }, { batch, reward, scale }) {
    const [N, T] = batch.shape;
    const turns: { readonly nt: number; readonly key: string; readonly credit: number }[] = [];
    for (let n = 0; n < N; n++) {
      for (let t = 0; t < batch.turnCount_n[n]!; t++) {
        const nt = n * T + t;
        const credit = reward.return_n[n]! + weight * (batch.step_nt?.[nt] ?? 0);
        turns.push({ nt, key: JSON.stringify([batch.groupId[n], t]), credit });
      }
    }
    const result = new Float64Array(N * T);
    if (turns.length === 0) return { level: "turn", advantage: result };
    // A turn that only one trajectory reaches keeps its credit, as in the code.
    const values = groupAdvantage64(
      turns.map(({ credit }) => credit),
      turns.map(({ key }) => key),
      { baseline: "mean", allowSingleton: true, ...withinGroup(scale) },
    );
    turns.forEach(({ nt }, k) => (result[nt] = values[k]!));
    return { level: "turn", advantage: result };
  },
});
