import type { VerdictKind } from "turnwise/internal/base/verdict";
import type { Drawing } from "turnwise/internal/plot/index";
import { ownRunLesson } from "./lesson";
import { takeaway, type TakeawayRow } from "../shared/takeaway";

const marks: Readonly<Record<VerdictKind, TakeawayRow["mark"]>> = {
  holds: "yes",
  "holds if": "open",
  refuted: "no",
  "no effect that matters": "no",
  "not shown": "open",
  "too few seeds": "open",
};

/** The lesson on your own run on one slide: what was found in tables, and how far it reaches, by the verdicts of its ledger. */
export function drawClaimTransfer(): Drawing {
  return takeaway(
    "What was found in a table, and how far it reaches",
    ownRunLesson().map(({ claim, verdict }) => ({
      mark: marks[verdict.kind],
      what: claim.split(/[:,]/)[0]!,
      why: verdict.text,
    })),
  );
}
