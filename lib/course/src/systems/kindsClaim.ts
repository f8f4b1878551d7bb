import type { Claim } from "turnwise/internal/plot/ledger";
import { mean } from "turnwise/internal/base/statistics";
import { gain } from "turnwise/internal/verdict/effect";
import { verdict } from "turnwise/internal/verdict/verdict";
import { inBothHalves } from "../shared/inBothHalves";
import type { StoredRecord } from "../shared/storedTable";
import { systemEffects } from "./effects";

const whitened = "segments and roles";
const plain = "segments and roles, not whitened";

/**
 * The scale of advantages across kinds of action, decided on the stored runs of SubGoals-v0: a manager's word and a worker's are two kinds,
 * and HiPER divides the advantages of each by their own deviation. The question was asked of these runs after they had been made.
 *
 * @param subgoals the runs of `subgoals.csv`
 */
export function kindsClaim(subgoals: readonly StoredRecord[]): Claim {
  const rates = [...new Set(subgoals.map((row) => Number(row["learningRate"])))];
  const of = (arm: string, rate: number): { readonly seed: number; readonly value: number }[] =>
    subgoals
      .filter((row) => row["arm"] === arm && row["learningRate"] === rate)
      .map((row) => ({ seed: Number(row["seed"]), value: Number(row["average"]) }));
  const average = (arm: string, rate: number): string =>
    mean(of(arm, rate).map(({ value }) => value)).toFixed(3);
  const texts = rates.map((rate) => `${average(whitened, rate)} against ${average(plain, rate)} at ${rate}`);
  return {
    claim: "Advantages of each kind of action, whitened apart, learn more than advantages as they are",
    source: "HiPER, 2602.16165 [P]; asked of stored runs",
    measured: `mean score over the run, by learning rate: ${texts.join(", ")}`,
    verdict: verdict({
      conditions: rates.map((rate) => ({
        setting: { learningRate: rate },
        effect: inBothHalves(of(whitened, rate), of(plain, rate), (a, b) => gain(a, b)),
      })),
      smallestEffectOfInterest: systemEffects.score,
    }),
  };
}
