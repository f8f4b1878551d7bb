import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/index";
import { inBothHalves } from "../shared/inBothHalves";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { above, share, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdicts, type Condition } from "turnwise/internal/verdict/verdict";
import { shapleyEffects as smallest } from "./worldModelEffects";
import { shapleyTeams, shapleyUpdates, type ShapleyTeam } from "./shapleyRun";

export const teamNames = Object.keys(shapleyTeams) as ShapleyTeam[];

/** The numbers of a cell that holds several. */
export const numbersIn = (row: StoredRecord, column: string): number[] =>
  String(row[column]).split(" ").map(Number);

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Whether masking one agent at a time says what each contributes, and what its credit teaches. */
export function shapleyClaims(stored: readonly StoredRecord[]): Claim[] {
  const conditions = (
    of: (row: StoredRecord) => number,
    from: number,
  ): (Condition & { readonly effect: Effect })[] =>
    teamNames.flatMap((team) =>
      shapleyUpdates.map((update) => {
        const own = stored
          .filter((row) => row["team"] === team && row["update"] === update)
          .map((row): SeedValue => ({ seed: Number(row["seed"]), value: of(row) }));
        return { setting: { team, update }, effect: inBothHalves(own, own, (values) => above(values, from)) };
      }),
    );
  const paid = conditions((row) => sum(numbersIn(row, "oneSided")) / Number(row["gained"]), 1);
  const ranked = teamNames.flatMap((team) =>
    shapleyUpdates.map((update) => {
      const own = stored.filter((row) => row["team"] === team && row["update"] === update);
      return { setting: { team, update }, effect: share(own.filter(sameOrder).length, own.length, 0.5) };
    }),
  );
  const bend = conditions((row) => Number(row["cosine"]), 1);
  const decided = verdicts({
    paid: { conditions: paid, claims: "same", smallestEffectOfInterest: smallest.share },
    ranked: { conditions: ranked, smallestEffectOfInterest: 0 },
    bend: { conditions: bend, claims: "no loss", smallestEffectOfInterest: smallest.cosine },
  });
  const text = (all: readonly (Condition & { readonly effect: Effect })[], base: number): string =>
    all
      .filter(({ setting }) => setting["update"] === shapleyUpdates.at(-1))
      .map(({ setting, effect }) => `${setting["team"]}: ${(base + effect.mean).toFixed(2)}`)
      .join("; ");
  return [
    {
      claim: "What the team loses without each agent adds up to what the team earns",
      source: "on the credit of SHARP, arXiv 2602.08335 [P]",
      measured: `40 teams of each kind, exact: sum of the losses by what the team gains, after 200 updates: ${text(paid, 1)}; first of them ${effectText(paid[1]!.effect, 2)} above 1`,
      verdict: decided.paid,
    },
    {
      claim: "It ranks the agents of most teams as Shapley's value does",
      source: "this notebook",
      measured: `share of teams in the same order, after 200 updates: ${text(ranked, 0.5)}`,
      verdict: decided.ranked,
    },
    {
      claim: "Agents that each raise their own Shapley value raise the team's return most steeply",
      source: "this notebook",
      measured: `cosine of that direction with the gradient of the return, exact, after 200 updates: ${text(bend, 1)}; mean of all ${mean(
        stored.map((row) => Number(row["cosine"])),
      ).toFixed(2)}`,
      verdict: decided.bend,
    },
  ];
}

function sameOrder(row: StoredRecord): boolean {
  const order = (column: string): string => {
    const values = numbersIn(row, column);
    return values
      .map((_, i) => i)
      .sort((a, b) => values[b]! - values[a]!)
      .join();
  };
  return order("value") === order("oneSided");
}
