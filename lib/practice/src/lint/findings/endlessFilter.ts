import { clear, found, inapplicable, type Finding } from "../contract";

export const endlessFilter: Finding = {
  title: "Dynamic sampling has no limit",
  severity: "warning",
  confidence: "certain",
  why: "Where all tasks are solved, or none, it samples for ever, and the run hangs without an error.",
  source: "verl, recipe/dapo (max_num_gen_batches)",
  lesson: "01-grpo-from-scratch",
  check: (s) => {
    if (s.rule.filter.kind === "none") return inapplicable("nothing is filtered");
    if (!s.read.without.some(({ field }) => field === "filter.maxGenerations")) return clear;
    return found(
      "groups are sampled until the batch is full, however often",
      s.either([{ setting: "filterLimit", value: 10 }], [{ setting: "groupFilter", value: false }]),
    );
  },
};
