import type { Step } from "../shared/ending";
import type { Catalog } from "./catalog";
import type { Run } from "./runs";
import { shortTitle } from "./words";

/** Pages that go on from a run. */
export const nextOf = ({ rule }: Run, catalog: Catalog): readonly Step[] => [
  {
    to: `rules/${rule}/`,
    name: shortTitle(rule, catalog),
    why: "Its equation, source, relatives, and flags for verl, TRL and OpenRLHF.",
  },
  {
    to: `board/#rule=${rule}`,
    name: "The board",
    why: "A change of it on twenty seeds in three worlds: a gain, or luck?",
  },
  {
    to: "lessons/05-off-policy-stability/",
    name: "Lesson 05: Off-policy stability",
    why: "Explains what several passes over a batch do, and what a clip can prevent.",
  },
];
