import type { Step } from "../shared/ending";

/** Pages that go on from a rule. */
export const nextOf = (rule: string, title: string): readonly Step[] => [
  {
    to: `rules/${rule}/`,
    name: title,
    why: "Its equation, source, relatives, and flags for verl, TRL and OpenRLHF.",
  },
  {
    to: `play/#runs=${rule}`,
    name: "Playground",
    why: "Its curve against the exact optimum, update by update, next to another rule.",
  },
];
