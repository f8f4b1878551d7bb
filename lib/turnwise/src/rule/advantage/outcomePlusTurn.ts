import { number } from "../../schema";
import { advantage, undiscounted } from "./contract";
import { outcomePlusTurnAdvantage } from "./outcomePlusTurnAdvantage";

export const outcomePlusTurn = advantage({
  help: "The group advantage of the outcome, and on the first turn that of its own reward besides.",
  equation: String.raw`A=A_{outcome}+\lambda A_{turn}\,\mathbb{1}[\text{before the tool's result}]`,
  source:
    "MT-GRPO, arXiv 2505.11821; github.com/SiliangZeng/Multi-Turn-RL-Agent, verifiers/trainers/mt_grpo_env_trainer.py:202",
  fields: {
    weight: number(1, { atLeast: 0, help: "Weight of the turn's advantage, lambda." }),
  },
  label: ({ weight }) => `outcome + turn, w ${weight}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) => outcomePlusTurnAdvantage(batch, reward, scale, o.weight),
});
