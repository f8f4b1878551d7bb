import { fraction, number } from "../../schema";
import { forks } from "./contract";

export const entropy = forks({
  help: "A running trajectory is left more readily where the turn's entropy has risen since its first turn.",
  equation: String.raw`P(\text{fork at }t)=p+w\,\frac{H_t-H_0}{\log V}`,
  source:
    "ARPO, arXiv 2507.19849; ARPO/verl_arpo_entropy/verl/workers/rollout/vllm_rollout/vllm_rollout_with_tools.py:470 in dongguanting/ARPO at e257337. APPO, arXiv 2606.12384, disputes that entropy marks the right turns",
  fields: {
    initial: fraction(0.5, { help: "Share of a group's members that begin at the start." }),
    probability: fraction(0.5, { help: "Probability of a fork after a turn whose entropy has not changed." }),
    weight: number(0.2, { atLeast: 0, help: "Weight of a rise in entropy, per log of the vocabulary." }),
  },
  label: ({ initial, probability, weight }) => `entropy, ${initial} first, p ${probability}, w ${weight}`,
  plan: (o) => ({ kind: "entropy", initial: o.initial, probability: o.probability, weight: o.weight }),
});
