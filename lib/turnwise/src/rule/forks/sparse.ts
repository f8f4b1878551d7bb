import { count } from "../../schema";
import { forks } from "./contract";

export const sparse = forks({
  help: "Once the first have played to their end, others come one by one, each from the history whose turns are most surprising for their number.",
  equation: String.raw`\operatorname{argmax}_h\ \frac{1}{n_h^2}\sum_{y\text{ taken from }h}-\tfrac{1}{|y|}\log\pi(y\mid h)`,
  source:
    "CARL, arXiv 2512.04949v3, Eq. 12 and Algorithm 1; docs/methods_carl.md in github.com/RainyFields/Agentic-RL-CA at 126e514",
  fields: {
    first: count(1, { unit: "trajectories", help: "Number of a group's members that begin at the start." }),
  },
  label: ({ first }) => `sparse histories, ${first} first`,
  plan: ({ first }) => ({ kind: "sparse", first }),
});
