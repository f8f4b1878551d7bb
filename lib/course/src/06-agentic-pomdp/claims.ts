import type { Claim } from "turnwise/internal/plot/index";
import type { StoredRecord } from "../shared/storedTable";
import { exactly } from "turnwise/internal/verdict/effect";
import { verdict } from "turnwise/internal/verdict/verdict";
import type { Reproduced } from "turnwise/internal/verdict/words";
import { creditQualityClaims, workedExampleClaims, type TurnCredit } from "./creditClaims";
import { agenticPomdpEffects as smallest } from "./effects";
import { maskClaims } from "./maskClaims";
import { skillClaims, type SkillOutcome } from "./skillClaims";
import { teamClaims } from "./teamClaims";

/** Measurements for the claims about one step and many. */
export interface AgenticPomdpResults {
  /** The return of one policy at horizon 1, summed over histories and as a bandit's. */
  readonly atHorizon1: { readonly pomdp: number; readonly bandit: number };
  /** The best return of any policy in each game. */
  readonly views: readonly GameViews[];
  /** The largest difference between two rules that differ in one choice about turns. */
  readonly choices: readonly {
    readonly choice: string;
    readonly "one step": number;
    readonly "turn by turn": number;
  }[];
  /** Advantages in the trajectory CLOCK, CALL, ANSWER, by the rule's name: in a group where some call, and in one where all do. */
  readonly example: Readonly<Record<"some call" | "all call", readonly TurnCredit[]>>;
  /** Every rule's credit against the exact one: `datasets/measured/credit.csv`. */
  readonly quality: readonly StoredRecord[];
  /** Calculator runs on the outcome: rows of `datasets/measured/reward-calculator.csv`. */
  readonly calculator: readonly StoredRecord[];
  /** Runs of each skill's arm, by "skill|arm". */
  readonly skillRuns: ReadonlyMap<string, readonly SkillOutcome[]>;
  /** `datasets/measured/retrieved.csv`. */
  readonly retrieved: readonly StoredRecord[];
  /** `datasets/measured/team.csv`. */
  readonly team: readonly StoredRecord[];
  /** `datasets/measured/team-credit.csv`. */
  readonly teamCredit: readonly StoredRecord[];
  /** Runs that were computed again, and how many of them equal the stored ones. */
  readonly again: { readonly credit: Reproduced; readonly masks: Reproduced; readonly team: Reproduced };
}

interface GameViews {
  readonly game: string;
  readonly "one step": number;
  readonly "turn by turn": number;
  readonly "state in sight": number;
}

/** The claims of lesson 06. */
export function agenticPomdpClaims(results: AgenticPomdpResults): Claim[] {
  return [
    ...oneStepClaims(results),
    ...workedExampleClaims(results.example),
    ...creditQualityClaims(results.quality),
    ...teamClaims(results.team, results.teamCredit),
    ...skillClaims(results),
    ...maskClaims(results.retrieved),
    reproduction(results.again),
  ];
}

/** Claims about the loss from a single step. */
function oneStepClaims({ atHorizon1: { pomdp, bandit }, views, choices }: AgenticPomdpResults): Claim[] {
  const planLoses = views.filter((v) => v["turn by turn"] - v["one step"] > 1e-9);
  const blind = views.filter((v) => v["state in sight"] - v["turn by turn"] > 1e-9);
  const names = (list: readonly GameViews[]): string => list.map(({ game }) => game).join(", ");
  const lookUp = views.find(({ game }) => game === "guessOrLookUp")!;
  return [
    {
      claim: "RLHF is not a special case of reinforcement learning",
      source: "note on 2604.27859 [N]",
      measured: `horizon 1: J of the POMDP ${pomdp.toFixed(6)}, of the bandit ${bandit.toFixed(6)}`,
      verdict: verdict({
        counterexamples: Math.abs(pomdp - bandit) < 1e-12 ? 1 : 0,
        searched: 1,
        smallestEffectOfInterest: smallest.share,
      }),
    },
    {
      claim: "The single-step view loses what an agent needs",
      source: "2604.27859, 2509.02547 [P, abstract]",
      measured:
        `best return falls in ${names(planLoses)} (${lookUp["one step"].toFixed(3)} against ` +
        `${lookUp["turn by turn"].toFixed(3)}), not in ${views.length - planLoses.length} other games; ` +
        `hidden state costs in ${names(blind)}`,
      verdict: verdict({
        conditions: views.map((v) => ({
          setting: { game: v.game },
          effect: exactly(1 - v["one step"] / v["turn by turn"]),
        })),
        smallestEffectOfInterest: smallest.exactReturn,
      }),
    },
    {
      claim: "In one step the rules' choices about turns are one rule",
      source: "this notebook",
      measured: choices
        .map(
          (c) =>
            `${c.choice}: ${c["one step"].toFixed(6)} in one step, ${c["turn by turn"].toFixed(6)} in turns`,
        )
        .join("; "),
      verdict: verdict({ equal: choices.filter((c) => c["one step"] === 0).length, of: choices.length }),
    },
  ];
}

function reproduction({ credit, masks: runs, team }: AgenticPomdpResults["again"]): Claim {
  const all = [credit, runs, team];
  const sum = (what: keyof Reproduced): number => all.reduce((total, part) => total + part[what], 0);
  return {
    claim: "Stored runs are what the library computes now",
    source: "this notebook",
    measured:
      `equal: ${credit.equal} of ${credit.of} studies of credit, ${runs.equal} of ${runs.of} runs with and without ` +
      `the mask, ${team.equal} of ${team.of} of agents and subgoals`,
    verdict: verdict({ equal: sum("equal"), of: sum("of") }),
  };
}
