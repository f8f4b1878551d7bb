import { whole } from "../../schema";
import { forks } from "./contract";
import { leaves } from "./leaves";

export const atTurn = forks({
  help: "All leaves of a tree leave its trunk at the same turn; where the trunk has ended, they repeat it.",
  equation: String.raw`h_t\sim\tau_{trunk},\quad\tau_i\sim\pi(\cdot\mid h_t)`,
  source: "[std]: Monte Carlo from a state; for language models VinePPO, arXiv 2410.01679",
  fields: { turn: whole(1, { atLeast: 0, help: "The first turn that is not shared, from 0." }), leaves },
  label: ({ turn, leaves: count }) => `at turn ${turn}, ${count} leaves`,
  plan: (o) => ({ kind: "atTurn", turn: o.turn, leaves: o.leaves }),
});
