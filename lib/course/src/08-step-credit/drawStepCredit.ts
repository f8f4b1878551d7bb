import type { Drawing } from "turnwise/internal/plot/drawing";
import { takeaway } from "../shared/takeaway";

/** Slide with the takeaway of the lesson on step credit. */
export function drawStepCredit(): Drawing {
  return takeaway("Who gets the credit for a turn?", [
    {
      mark: "yes",
      what: "Compare with those who were there",
      why: "leave-one-out per turn costs nothing and is right on average",
    },
    {
      mark: "yes",
      what: "Ask the policy what it now believes",
      why: "information gain finds the tool, once the agent can read its result",
    },
    {
      mark: "open",
      what: "Play on from every turn",
      why: "right on average, but four tries add eight times the steps",
    },
    {
      mark: "open",
      what: "Let a judge decide the sign",
      why: "teaches what the outcome cannot, and moves the goal",
    },
    {
      mark: "no",
      what: "Trust a judge with a preference",
      why: "the rule climbs what is praised, and the task is forgotten",
    },
  ]);
}
