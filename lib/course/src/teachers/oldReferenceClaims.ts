import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/ledger";
import type { StoredRecord } from "../shared/storedTable";
import { above, gainInHalves, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdict, verdicts } from "turnwise/internal/verdict/verdict";
import { teacherEffects as smallest } from "./effects";

/** Seeds below find, the others confirm. */
const CONFIRM_FROM = 20;
/** The updates before which the accuracy is read off. */
const looks = [0, 20, 80];
/** Rounding error allowed in an identity. */
const ROUNDING = 1e-9;

/** PACED-RL with the policy that samples as the reference: rows of `calibration-old.csv` and `samplers-old.csv`. */
export function oldReferenceClaims(
  calibration: readonly StoredRecord[],
  samplers: readonly StoredRecord[],
): Claim[] {
  const betas = [...new Set(calibration.map((row) => Number(row["beta"])))];
  const errors = (beta: number, update: number, isOwn: (seed: number) => boolean = () => true): number[] =>
    calibration
      .filter((row) => row["beta"] === beta && row["update"] === update && isOwn(Number(row["seed"])))
      .map((row) => Number(row["stepError"]));
  const atOptimum = calibration.map((row) => Math.abs(Number(row["optimumError"])));
  const arm = (name: string): SeedValue[] =>
    samplers
      .filter((row) => row["arm"] === name)
      .map((row) => ({ seed: Number(row["seed"]), value: Number(row["meanHardest"]) }));
  const [partition, counted] = [arm("partition, old reference"), arm("counted, old reference")];
  const hardest = (own: readonly SeedValue[]): string => mean(own.map(({ value }) => value)).toFixed(3);
  const half = (beta: number, update: number, isOwn: (seed: number) => boolean): Effect =>
    above(errors(beta, update, isOwn), 0);
  const decided = verdicts({
    step: {
      conditions: betas.flatMap((beta) =>
        looks.map((update) => ({
          setting: { beta, update },
          effect: {
            find: half(beta, update, (seed) => seed < CONFIRM_FROM),
            confirm: half(beta, update, (seed) => seed >= CONFIRM_FROM),
          },
        })),
      ),
      claims: "same",
      smallestEffectOfInterest: smallest.accuracy,
    },
    sampler: {
      effect: gainInHalves(partition, counted, { confirmFrom: CONFIRM_FROM }),
      smallestEffectOfInterest: smallest.score,
    },
  });
  return [
    {
      claim:
        "With the policy that samples as the reference, beta log Z - beta KL(pi_old || pi_theta) is its accuracy, pi_theta being at its optimum",
      source: "PACED-RL, 2602.12642 [P] [S]; derived [D]",
      measured: `largest error, enumerated: ${Math.max(...atOptimum).toExponential(0)}`,
      verdict: verdict({
        equal: atOptimum.filter((error) => error < ROUNDING).length,
        of: atOptimum.length,
      }),
    },
    {
      claim: "It is so too where pi_theta is the policy after one update",
      source: "PACED-RL, 2602.12642 [P] [S]",
      measured:
        `estimate - accuracy before updates ${looks.map((update) => update + 1).join(", ")}: ` +
        betas
          .map(
            (beta) =>
              `beta ${beta}: ${looks.map((update) => mean(errors(beta, update)).toFixed(3)).join(", ")}`,
          )
          .join("; "),
      verdict: decided.step,
    },
    {
      claim:
        "With the policy that samples as the reference, a curriculum drawn by the fitted Z learns the hardest level sooner than one that counts successes",
      source: "PACED-RL, 2602.12642 [P]",
      measured: `mean return on the hardest of six levels over the run: ${hardest(partition)} against ${hardest(counted)}`,
      verdict: decided.sampler,
    },
  ];
}
