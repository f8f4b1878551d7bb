import type { Claim } from "turnwise/internal/plot/index";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { exactly } from "turnwise/internal/verdict/effect";
import { verdict } from "turnwise/internal/verdict/verdict";
import { rewardSignalEffects as smallest } from "./effects";
import { verifiers, type VerifierName } from "./fallibleVerifier";
import { numbers, paired, text } from "../shared/samples";
import type { ScoreOfOptimum } from "./scoreOfOptimum";

/** Claims about an agent with a failing verifier, at random or about a single answer. */
export function verifierClaims({
  verifier: rows,
  trusted,
}: {
  readonly verifier: readonly StoredRecord[];
  readonly trusted: Readonly<Record<VerifierName, ScoreOfOptimum>>;
}): Claim[] {
  const last = Math.max(...numbers(rows, "update"));
  const end = (verifier: VerifierName): number[] =>
    numbers(
      rows.filter((row) => row["verifier"] === verifier && row["update"] === last),
      "score",
    );
  const names = Object.keys(verifiers) as VerifierName[];
  const optima = names.map((verifier) => ({ verifier, ...trusted[verifier] }));
  const failing = names.filter((verifier) => verifier !== "never errs");
  const lost = failing.map((verifier) => ({
    verifier,
    effect: paired(end("never errs"), end(verifier)),
  }));
  return [
    {
      claim: "A verifier that fails leaves the best policy as it is",
      source: "this notebook",
      measured: optima
        .map(({ verifier, low, high }) => `${verifier} ${low.toFixed(3)} to ${high.toFixed(3)}`)
        .join(", "),
      verdict: verdict({
        conditions: optima.map(({ verifier, low }) => ({ setting: { verifier }, effect: exactly(low - 1) })),
        claims: "no loss",
        smallestEffectOfInterest: smallest.exact,
      }),
    },
    {
      claim: "A verifier that fails spoils the training",
      source: "this notebook",
      measured:
        `LookUp, ${end("never errs").length} seeds, true score: never errs ${text(end("never errs"))}; lost: ` +
        lost.map(({ verifier, effect }) => `${verifier} ${effectText(effect)}`).join(", "),
      verdict: verdict({
        conditions: lost.map(({ verifier, effect }) => ({ setting: { verifier }, effect })),
        smallestEffectOfInterest: smallest.score,
      }),
    },
  ];
}
