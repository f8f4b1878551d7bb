import type { Drawing } from "turnwise/internal/plot/drawing";
import { takeaway } from "../shared/takeaway";

/** The slide of the lesson: what costs a critic-free rule its guarantee, and what does not. */
export function drawSuspects(): Drawing {
  return takeaway("What keeps the guarantee, and what breaks it", [
    {
      mark: "no",
      what: "Dividing by the group's std",
      why: "a rare large win counts no more than a small one",
    },
    {
      mark: "no",
      what: "One group std for tasks that look alike",
      why: "every group pulls equally hard, whatever it pays",
    },
    {
      mark: "no",
      what: "One set of parameters for all turns",
      why: "a step for one turn moves the others; a critic does not help",
    },
    {
      mark: "no",
      what: "A ratio normalized by length",
      why: "it is no ratio of probabilities, and its drift goes below 0",
    },
    { mark: "yes", what: "No critic", why: "the group's mean is off by the same number for every action" },
    {
      mark: "yes",
      what: "Several turns",
      why: "last turn first, without a critic, finds the optimum of small games",
    },
  ]);
}
