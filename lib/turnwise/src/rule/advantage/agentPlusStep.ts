import { advantage, undiscounted } from "./contract";
import { allowSingleton } from "./knobs";
import { agentAdvantage } from "./turnGroups";

export const agentPlusStep = advantage({
  help: "The return plus the step credit of the turn, minus the mean over the turns of the same task and agent.",
  equation: String.raw`A_{i,t}=R_i+s_{i,t}-\mathrm{mean}_{(\text{task},\,\text{agent})}(R+s)`,
  source: "SHARP, arXiv 2602.08335; no code is public",
  fields: { allowSingleton },
  label: () => "mean of (task, agent), with step credit",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) =>
    agentAdvantage(batch, reward, scale, o.allowSingleton, batch.step_nt),
});
