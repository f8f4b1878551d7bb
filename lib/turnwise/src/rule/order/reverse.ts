import { order, turnByTurnFields } from "./contract";

export const reverse = order({
  help: "From the last turn to the first, so that each turn meets the improved policy of those after it.",
  equation: String.raw`T,\dots,1`,
  source: "SeeUPO, arXiv 2602.06554, Algorithm 1",
  fields: turnByTurnFields,
  turnByTurn: true,
  sets: (turns) => turns.reverse().map((t) => [t]),
});
