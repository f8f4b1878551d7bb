import type { Claim } from "turnwise/internal/plot/ledger";
import { effectText } from "turnwise/internal/verdict/effectText";
import { measured } from "../shared/measured";
import { numbers, paired } from "../shared/samples";
import { retold } from "../shared/retold";
import { storedTable, type StoredRecord } from "../shared/storedTable";
import { stepCreditClaims, type StepCreditLedger } from "./claims";
import { flipPoints } from "./drawFlip";

const table = (name: string): StoredRecord[] => storedTable(measured(name));

/**
 * Every claim about step credit, decided on the stored runs: what the appendix of lesson 08 shows.
 *
 * @example
 * import { wholeStepCredit } from "turnwise-course/step-credit";
 * wholeStepCredit().turns.length; // => 1
 */
export function wholeStepCredit(): StepCreditLedger {
  return stepCreditClaims({
    turns: table("step-turns"),
    reading: table("step-reading"),
    outcome: table("step-outcome"),
    judged: table("step-judges"),
    flips: flipPoints(),
    falses: table("step-false"),
    anything: table("step-anything"),
  });
}

/** The ledger of the lesson on step credit. */
export function stepCreditLesson(): Claim[] {
  const [turns, judged] = [table("step-turns"), table("step-judges")];
  const batch = (method: string): number[] =>
    numbers(
      turns.filter((row) => row["method"] === method),
      "oneBatch",
    );
  const straighter = (method: string): string => effectText(paired(batch(method), batch("whole return")));
  const score = (judge: string): number[] =>
    numbers(
      judged.filter(
        (row) => row["world"] === "LookUp-v0" && row["arm"] === "votes" && row["judge"] === judge,
      ),
      "score",
    );
  const lost = (judge: string): string => effectText(paired(score("never errs"), score(judge)));
  return retold(Object.values(wholeStepCredit()).flat(), [
    {
      of: "Crediting single turns makes one batch point straighter than the whole return",
      measured: `cosine gained: leave-one-out per turn ${straighter("leave-one-out per turn")}, four tries ${straighter("Monte Carlo: four tries")}, information gain ${straighter("IGPO: information gain")}`,
    },
    {
      of: "Paying for information gain teaches the agent to look things up",
      source: "IGPO, arXiv 2510.14967",
    },
    {
      of: "At the same success, signs turned by verdicts make fewer steps false",
      source: "FSPO, arXiv 2505.24630",
    },
    { of: "Turning signs by true verdicts leaves the expected gradient where it pointed" },
    {
      of: "A judge that errs spoils the training",
      measured: `LookUp, votes, success lost: errs at random 20 % ${lost("errs at random, 20 %")}, 40 % ${lost("errs at random, 40 %")}, distrusts answers ${lost("distrusts answers")}`,
    },
  ]);
}
