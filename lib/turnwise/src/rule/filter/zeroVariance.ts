import { count } from "../../schema";
import { filter } from "./contract";

export const zeroVariance = filter({
  help: "Dynamic sampling: groups of equal returns are dropped, and sampling goes on until the batch is full.",
  equation: String.raw`\mathrm{std}(R)>0`,
  source: "DAPO, arXiv 2503.14476",
  fields: { maxGenerations: count(10, { help: "Largest number of batches sampled for one update." }) },
  label: () => "zeroVariance",
  kept: (_, groups) => groups.filter((group) => group.deviation > 0),
  generations: ({ maxGenerations }) => maxGenerations,
});
