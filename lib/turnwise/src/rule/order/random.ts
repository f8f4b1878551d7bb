import { order, turnByTurnFields } from "./contract";

export const random = order({
  help: "One by one in a fresh random order.",
  equation: String.raw`i_1,\dots,i_T\ \text{a random permutation}`,
  source: "HAPPO, Zhong et al., JMLR 2024, github.com/PKU-MARL/HARL",
  fields: turnByTurnFields,
  turnByTurn: true,
  sets: (turns, rng) => {
    if (!rng) {
      throw new TypeError("Cannot draw a random order: a generator must be given, got none.");
    }
    return rng.shuffle(turns).map((t) => [t]);
  },
});
