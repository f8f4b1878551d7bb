import type { Claim } from "turnwise/internal/plot/ledger";
import { measured } from "../shared/measured";
import { startHereClaims } from "./claims";
import { storedStartHereRuns } from "./runs";

/** The ledger of the first lesson. */
export function startHereLesson(): Claim[] {
  return startHereClaims(storedStartHereRuns(measured("start-here")));
}
