import type { Chart } from "turnwise/internal/plot/chart";
import { leverEnds } from "../shared/echoTrap/leverEnds";
import type { LeverName } from "../shared/echoTrap/levers";
import type { StoredRun } from "../shared/echoTrap/stored";

const rows = {
  "no penalty": "vanilla",
  "the KL itself": "KL to reference .1",
  "k3, as TRL computes it": "KL to reference .1, k3 of TRL",
  "k3, limited as in verl": "KL to reference .1, k3 of verl",
  "k3, with importance weights": "KL to reference .1, k3 of TRL, corrected",
} as const satisfies Readonly<Record<string, LeverName>>;

/** Trap A with one and the same penalty, by how its KL is estimated. */
export function drawEstimates(runs: readonly StoredRun[]): Chart {
  return leverEnds(runs, "reuse", rows, {
    title: (means) => {
      const [none, itself, k3] = Object.keys(rows).map((label) => means[label]!.toFixed(2));
      return `Success ends at ${itself!} with the KL itself, ${k3!} with k3, ${none!} with no penalty`;
    },
    subtitle: (seeds) => `trap A, KL to the start times .1, ${seeds} seeds; dots: runs`,
  });
}
