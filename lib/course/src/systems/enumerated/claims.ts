import type { Claim } from "turnwise/internal/plot/ledger";
import { bankClaims } from "./bankClaims";
import type { EnumeratedSystem } from "./design";
import { nextStateClaims } from "./nextStateClaims";
import { omissionClaims } from "./omissionClaims";
import type { Rows } from "./rows";
import type { EnumeratedRun } from "./run";
import { skillClaims } from "./skillClaims";

/** Decides the questions of each system that has runs, each a family. */
export function enumeratedClaims(runs: Rows): Claim[] {
  const deciders: Readonly<Record<EnumeratedSystem, (rows: Rows) => Claim[]>> = {
    omission: omissionClaims,
    skills: skillClaims,
    "next states": nextStateClaims,
    "memory bank": bankClaims,
  };
  const measured = new Set((runs as readonly EnumeratedRun[]).map(({ system }) => system));
  return (Object.keys(deciders) as EnumeratedSystem[])
    .filter((system) => measured.has(system))
    .flatMap((system) => deciders[system](runs));
}
