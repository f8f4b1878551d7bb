import type { Drawing } from "turnwise/internal/plot/drawing";
import { takeaway } from "../shared/takeaway";

/** When to think ahead, with what, and what it may be believed: the last slide of the lesson. */
export function drawWhenToThink(): Drawing {
  return takeaway("When to think ahead, and with what", [
    {
      mark: "no",
      what: "You may ask the verifier again",
      why: "try again: at equal steps, no search was shown to beat it here",
    },
    {
      mark: "yes",
      what: "You have one attempt, and the rules",
      why: "think ahead, with rollouts by a policy that knows where to look",
    },
    {
      mark: "yes",
      what: "Sampling alone hardly learns",
      why: "let a search find what pays, and a student keep it; count its steps",
    },
    {
      mark: "yes",
      what: "Steps in the world are expensive",
      why: "learn a model, and plan on it between batches",
    },
    {
      mark: "no",
      what: "A simulator pays by fixed beliefs",
      why: "the agent learns the beliefs, and the simulator's score hides it",
    },
    {
      mark: "open",
      what: "Who earned the return?",
      why: "Shapley says so; losses without one agent do not add up",
    },
  ]);
}
