import type { Claim } from "turnwise/internal/plot/index";
import { anatomyClaims } from "./anatomyClaims";
import { leverClaims } from "./leverClaims";
import { ragenClaims } from "./ragenClaims";
import type { StoredRagenRun } from "./ragenStored";
import type { StoredRun } from "../shared/echoTrap/stored";

/** Measurements for the claims about echo traps, as `datasets/measured` holds them. */
export interface EchoTrapResults {
  readonly runs: readonly StoredRun[];
  readonly ragen: readonly StoredRagenRun[];
}

/** The claims of notebook 04 but for those about alarms. */
export function echoTrapClaims({ runs, ragen }: EchoTrapResults): Claim[] {
  return [...anatomyClaims(runs), ...leverClaims(runs), ...ragenClaims(ragen)];
}
