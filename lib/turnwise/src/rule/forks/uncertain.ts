import { count, fraction, number } from "../../schema";
import { forks } from "./contract";

export const uncertain = forks({
  help: "Once some have played to their end, others play the turns again that the policy was least sure of.",
  equation: String.raw`\operatorname{top}_t\Big(-\tfrac{1}{|y_t|}\textstyle\sum\log\pi(y_t)-p\,(\text{siblings})\Big)`,
  source:
    "AT²PO, arXiv 2601.04767; verl/workers/rollout/vllm_rollout/vllm_rollout_with_tools_tree_offline.py:364 in zzfoutofspace/ATPO at 98e60f6",
  fields: {
    initial: fraction(0.45, { help: "Share of a group's members that begin at the start." }),
    rounds: count(2, { unit: "rounds", help: "Number of rounds in which the other members come." }),
    penalty: number(0.05, {
      atLeast: 0,
      unit: "nats",
      help: "Deduction from a turn's score for each other way to go on from the same history.",
    }),
  },
  label: ({ initial, rounds }) => `uncertain turns, ${initial} first, ${rounds} rounds`,
  plan: (o) => ({ kind: "uncertain", initial: o.initial, rounds: o.rounds, penalty: o.penalty }),
});
