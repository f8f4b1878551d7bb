import { count } from "../../schema";
import { callCustom, named, customFunction } from "../custom/customFunction";
import { expectRepeats } from "../custom/customRepeats";
import { shown } from "../custom/customShown";
import { filter, type Group } from "./contract";

/** Groups in, those that take part in the update out. */
export type FilterFunction = (groups: readonly Group[]) => readonly Group[];

const field = "filter";

export const custom = filter({
  help: "A function of your own: the groups in, those that are kept out.",
  equation: String.raw`f(\text{groups})`,
  source: "yours",
  fields: {
    by: customFunction<FilterFunction>("The function."),
    maxGenerations: count(1, {
      help: "Largest number of batches sampled for one update, to replace dropped groups.",
    }),
  },
  label: ({ by }) => by.label,
  kept: (o, groups) => {
    expectRepeats(field, o, () => callCustom(field, o, [...groups]));
    const given: unknown = callCustom(field, o, groups);
    if (!Array.isArray(given)) {
      throw new TypeError(
        `Cannot apply ${named(field, o)}: it must return a list of groups, but it returned ${shown(given)}.`,
      );
    }
    const kept = new Set(given as Group[]);
    const stranger = given.findIndex((group) => !groups.includes(group as Group));
    if (stranger !== -1) {
      throw new TypeError(
        `Cannot apply ${named(field, o)}: it must return some of the groups that it got, but entry ${stranger} is ${shown(given[stranger])}.`,
      );
    }
    return groups.filter((group) => kept.has(group));
  },
  generations: ({ maxGenerations }) => maxGenerations,
});
