import { advantage, undiscounted } from "./contract";

export const returnPlusStep = advantage({
  help: "The return plus the step reward of the turn, which may be a baseline with its sign reversed; without one, the return alone.",
  equation: String.raw`A_{i,t}=R_i+s_{i,t}`,
  source: "ReMax, arXiv 2310.10505, and RAE, SPIRAL, arXiv 2506.24119, where s is minus a baseline",
  fields: {},
  label: () => "return + step",
  comparesGroups: false,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign(_, { batch, reward }) {
    const [N, T] = batch.shape;
    return {
      level: "turn",
      advantage: Float64Array.from(
        { length: N * T },
        (_one, nt) => reward.return_n[Math.floor(nt / T)]! + (batch.step_nt?.[nt] ?? 0),
      ),
    };
  },
});
