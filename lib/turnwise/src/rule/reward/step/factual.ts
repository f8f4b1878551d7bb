import { fraction } from "../../../schema";
import { stepReward } from "./contract";

export const factual = stepReward({
  help: "A turn is judged true, false or neither by a verifier of single steps; only the sign of its advantage depends on it.",
  equation: String.raw`s_t\in\{1,-1,0\}`,
  source:
    "FSPO, arXiv 2505.24630 (factuality, not 2509.09177); verl/workers/fsdp_workers.py:1035 in github.com/nusnlp/FSPO at 7f5e4f9",
  fields: {
    error: fraction(0, {
      help: "Probability that the verifier says the opposite of a verdict that is not 0.",
    }),
  },
  label: ({ error }) => [error === 0 ? "factual" : `factual, error ${error}`],
  paid: false,
});
