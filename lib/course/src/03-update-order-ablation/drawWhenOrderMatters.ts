import type { Drawing } from "turnwise/internal/plot/drawing";
import { takeaway } from "../shared/takeaway";

/** The slide of the lesson: where the order of updates matters, where it does not, and where nothing is promised. */
export function drawWhenOrderMatters(): Drawing {
  return takeaway("Does the update order matter?", [
    {
      mark: "yes",
      what: "Large steps, and an early turn that can give up",
      why: "learn the last turn first, and carry its ratios",
    },
    {
      mark: "no",
      what: "Large steps, but no carry",
      why: "with separate parameters, the order is then the same as all turns at once",
    },
    { mark: "no", what: "Small steps", why: "all orders do nearly the same" },
    {
      mark: "no",
      what: "A start that already knows its way",
      why: "no turn gives up, so none needs protection",
    },
    {
      mark: "open",
      what: "One model for all turns",
      why: "no promise: the order helped in ToolChain, and not in KeyDoor",
    },
  ]);
}
