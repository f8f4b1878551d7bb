import type { Claim } from "turnwise/internal/plot/ledger";
import { measured } from "../shared/measured";
import { grpoClaims } from "./claims";
import { storedGrpoRuns } from "./runs";

/** The ledger of the lesson that writes GRPO by hand. */
export function grpoLesson(): Claim[] {
  return grpoClaims(storedGrpoRuns(measured("grpo")));
}
