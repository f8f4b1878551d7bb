import { order, turnByTurnFields } from "./contract";

export const forward = order({
  help: "From the first turn to the last.",
  equation: String.raw`1,\dots,T`,
  source: "the comparison in SeeUPO, arXiv 2602.06554",
  fields: turnByTurnFields,
  turnByTurn: true,
  sets: (turns) => turns.map((t) => [t]),
});
