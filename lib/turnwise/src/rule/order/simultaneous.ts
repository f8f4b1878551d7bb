import { oldLogProb, order } from "./contract";

export const simultaneous = order({
  help: "All turns in one update.",
  equation: String.raw`\{1,\dots,T\}`,
  source: "the usual way; PPO, arXiv 1707.06347",
  fields: { oldLogProb },
  turnByTurn: false,
  sets: (turns) => [turns],
});
