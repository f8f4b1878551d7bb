import { difference } from "../../base/difference";
import { bootstrapInterval, type Interval } from "../../base/interval";
import type { RetrievedTokens } from "../../train";
import type { Claim } from "../../plot";
import type { StoredRow } from "../storedTable";
import type { RewardCredit } from "../rewardSignal/rewardRun";
import { above0, reproduces, shown, type Reproduced } from "../verdict";
import { creditQualityClaims, workedExampleClaims, type TurnCredit } from "./creditClaims";
import { skills, type SkillName } from "./skillRun";

/** What the claims about one step and many are measured on. */
export interface AgenticPomdpResults {
  /** The return of one policy at horizon 1, summed over histories and as a bandit's. */
  readonly atHorizon1: { readonly pomdp: number; readonly bandit: number };
  /** The best return of any policy in each game. */
  readonly views: readonly GameViews[];
  /** The largest difference between two rows that differ in one choice about turns. */
  readonly choices: readonly {
    readonly choice: string;
    readonly "one step": number;
    readonly "turn by turn": number;
  }[];
  /** Advantages in the trajectory CLOCK, CALL, ANSWER, by the rule's name. */
  readonly example: readonly TurnCredit[];
  /** Every rule's credit against the exact one: `datasets/measured/credit.csv`. */
  readonly quality: readonly StoredRow[];
  /** Calculator runs on the outcome: rows of `datasets/measured/reward-calculator.csv`. */
  readonly calculator: readonly StoredRow[];
  /** Runs of each skill's arm, by "skill|arm". */
  readonly skillRuns: ReadonlyMap<string, readonly SkillOutcome[]>;
  /** `datasets/measured/retrieved.csv`. */
  readonly retrieved: readonly StoredRow[];
  /** Runs that were computed again, and how many of them equal the stored ones. */
  readonly again: { readonly credit: Reproduced; readonly masks: Reproduced };
}

interface GameViews {
  readonly game: string;
  readonly "one step": number;
  readonly "turn by turn": number;
  readonly "state in sight": number;
}

interface SkillOutcome {
  readonly score: number;
  /** Share of malformed turns in the first tenth of the updates and in the last. */
  readonly malformed: readonly number[];
}

/** The claims of notebook 05. */
export function agenticPomdpClaims(results: AgenticPomdpResults): Claim[] {
  return [
    ...oneStep(results),
    ...workedExampleClaims(results.example),
    ...creditQualityClaims(results.quality),
    ...skillClaims(results),
    ...masks(results.retrieved),
    reproduction(results.again),
  ];
}

const paired = (a: readonly number[], b: readonly number[]): Interval => difference(a, b, { paired: true });
const text = (values: readonly number[]): string => shown(bootstrapInterval(values));

/** What one step loses. */
function oneStep({ atHorizon1: { pomdp, bandit }, views, choices }: AgenticPomdpResults): Claim[] {
  const planLoses = views.filter((v) => v["turn by turn"] - v["one step"] > 1e-9);
  const blind = views.filter((v) => v["state in sight"] - v["turn by turn"] > 1e-9);
  const names = (list: readonly GameViews[]): string => list.map(({ game }) => game).join(", ");
  const lookUp = views.find(({ game }) => game === "guessOrLookUp")!;
  return [
    {
      claim: "RLHF is not a special case of reinforcement learning",
      source: "note on 2604.27859 [N]",
      measured: `horizon 1: J of the POMDP ${pomdp.toFixed(6)}, of the bandit ${bandit.toFixed(6)}`,
      verdict:
        Math.abs(pomdp - bandit) < 1e-12 ? "not reproduced: it is exactly the case of one step" : "holds",
    },
    {
      claim: "The single-step view loses what an agent needs",
      source: "2604.27859, 2509.02547 [P, abstract]",
      measured:
        `best return falls in ${names(planLoses)} (${lookUp["one step"].toFixed(3)} against ` +
        `${lookUp["turn by turn"].toFixed(3)}), not in ${views.length - planLoses.length} other games; ` +
        `hidden state costs in ${names(blind)}`,
      verdict:
        planLoses.length > 0 ? "holds only if later actions need what earlier ones reveal" : "not reproduced",
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
      verdict: choices.every((c) => c["one step"] === 0 && c["turn by turn"] > 0)
        ? "holds"
        : "not reproduced",
    },
  ];
}

/** What each faculty is worth, measured by taking it away. */
function skillClaims({ skillRuns, calculator }: AgenticPomdpResults): Claim[] {
  const runsOf = (skill: SkillName, arm: number): readonly SkillOutcome[] =>
    skillRuns.get(`${skill}|${Object.keys(skills[skill].arms)[arm]!}`)!;
  const scores = (skill: SkillName, arm: number): number[] => runsOf(skill, arm).map(({ score }) => score);
  const effect = (skill: SkillName): Interval => paired(scores(skill, 0), scores(skill, 1));
  const outcome = (credit: RewardCredit): number[] =>
    calculator.filter((row) => row["credit"] === credit).map((row) => Number(row["score"]));
  const seeds = scores("tool: LookUp", 0).length;
  const malformed = [0, 1].map((arm) =>
    [0, 1]
      .map((end) =>
        bootstrapInterval(runsOf("action: LookUp", arm).map((run) => run.malformed[end]!)).mean.toFixed(2),
      )
      .join(" to "),
  );
  const others = ["tool: LookUp", "planning: now or later", "action: LookUp"] as const;
  const [tool, planning, action] = others.map((skill) => shown(effect(skill)));
  return [
    {
      claim: "Without step credit no tool use is learned",
      source: "note, 7.3 [N]",
      measured:
        `LookUp, whole return, ${seeds} seeds: score ${text(scores("tool: LookUp", 0))}; Calculator, 20 seeds: ` +
        `whole return ${text(outcome("trajectory"))}, ` +
        `step credit - whole return ${shown(paired(outcome("rewardToGo"), outcome("trajectory")))}`,
      verdict:
        bootstrapInterval(scores("tool: LookUp", 0)).low > 0.9
          ? "not reproduced: LookUp is learned without it, and Calculator not with it"
          : "holds",
    },
    {
      claim: "Memory decides",
      source: "2604.27859, section 2.1 [N]",
      measured:
        `KeyDoor with - without ${shown(effect("memory: KeyDoor"))}; TMaze ${shown(effect("memory: TMaze"))}, ` +
        `without ${text(scores("memory: TMaze", 1))}`,
      verdict: above0(effect("memory: KeyDoor"), {
        then: "holds only if the world keeps no trace of what was seen: in TMaze time does",
      }),
    },
    {
      claim: "So do tools, planning and the form of actions",
      source: "2604.27859, section 2.1 [N]",
      measured:
        `with - without: tool ${tool}, planning ${planning}, action ${action}; ` +
        `malformed turns, first to last tenth: ${malformed.join(", unknown syntax ")}`,
      verdict: others.every((skill) => effect(skill).low > 0)
        ? "holds"
        : "holds only if the interval excludes 0: not for all three",
    },
  ];
}

/** What becomes of training when the environment's tokens are in the loss. */
function masks(retrieved: readonly StoredRow[]): Claim[] {
  const of = (words: number, kind: RetrievedTokens, column: string): number[] =>
    retrieved
      .filter((row) => row["words"] === words && row["retrieved"] === kind)
      .map((row) => Number(row[column]));
  const gap = (words: number, column: string): Interval =>
    paired(of(words, "trained", column), of(words, "masked", column));
  const both = (column: string): string =>
    `bare ${shown(gap(0, column))}, eight words ${shown(gap(8, column))}`;
  const slower = (words: number): boolean => gap(words, "average").high < 0;
  return [
    {
      claim: "Without the mask training collapses at once",
      source: "note, 4.4 [N]",
      measured:
        `20 seeds, success at the end without the mask: bare ${text(of(0, "trained", "success"))}, ` +
        `eight words ${text(of(8, "trained", "success"))}`,
      verdict:
        bootstrapInterval(of(8, "trained", "success")).low > 0.9 ? "not reproduced: it learns" : "holds",
    },
    {
      claim: "Masking retrieved tokens helps",
      source: "Search-R1, arXiv 2503.09516 [P]",
      measured: `trained - masked, mean of all updates: ${both("average")}; at the end: ${both("success")}`,
      verdict:
        slower(0) && slower(8)
          ? "holds"
          : slower(8)
            ? "holds only if answers are long: then learning is slower without it"
            : "not reproduced: the interval contains 0",
    },
    {
      claim: "Without the mask the policy forges answers",
      source: "this notebook",
      measured: `forged turns, trained - masked: ${both("forged")}`,
      verdict: above0(gap(8, "forged")),
    },
  ];
}

function reproduction({ credit, masks: runs }: AgenticPomdpResults["again"]): Claim {
  return {
    claim: "Stored runs are what the library computes now",
    source: "this notebook",
    measured:
      `equal: ${credit.equal} of ${credit.of} studies of credit, ` +
      `${runs.equal} of ${runs.of} runs with and without the mask`,
    verdict: reproduces(credit.equal + runs.equal, credit.of + runs.of),
  };
}
