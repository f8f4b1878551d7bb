import { number } from "../../schema";
import { term } from "../term";

export const environment = term({
  equation: String.raw`w\,R`,
  source:
    "on-policy distillation pays no reward of the task: tinker-cookbook at 53aaf8d, tinker_cookbook/distillation/train_on_policy.py:97, github.com/thinking-machines-lab/tinker-cookbook",
  field: number(1, {
    atLeast: 0,
    help: "Weight of the environment's own reward; 0 leaves only what the rule itself pays, as a teacher's agreement.",
  }),
  label: (weight) => (weight === 1 ? [] : weight === 0 ? ["no task reward"] : [`task reward x ${weight}`]),
});
