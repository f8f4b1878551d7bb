import type { Step } from "../shared/ending";

/** Pages that go on from a run's diagnosis. */
export const next: readonly Step[] = [
  {
    to: "read/docs/debugging.html",
    name: "Debugging a run",
    why: "A section for each cause: what it looks like, how to tell it from others, and what to change.",
  },
  {
    to: "board/",
    name: "The board",
    why: "Try the change on a small scale: one field of a rule, twenty seeds, three worlds.",
  },
  {
    to: "lessons/04-echo-trap/",
    name: "Lesson 04: The echo trap",
    why: "Watches runs fall, and measures which alarm comes before the fall and which fix works.",
  },
];
