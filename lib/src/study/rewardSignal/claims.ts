import { difference } from "../../base/difference";
import { bootstrapInterval, type Interval } from "../../base/interval";
import type { Claim } from "../../plot";
import type { StoredRow } from "../storedTable";
import { above0, reproduces, shown, type Reproduced } from "../verdict";
import type { CurriculumArm } from "./curriculumRun";
import type { GoodhartArm } from "./goodhartRun";
import type { RewardCredit } from "./rewardRun";
import type { MixedOptimum, ScoreOfOptimum } from "./scoreOfOptimum";

/** What the claims about the reward signal are measured on: exact optima, and tables of `datasets/measured`. */
export interface RewardSignalResults {
  /** Optima of the proxy in a Calculator whose calls are free. */
  readonly free: ScoreOfOptimum;
  /** Optima of each reward where a call costs .1. */
  readonly costly: Readonly<Record<"outcome" | "verification" | "proxy", ScoreOfOptimum>>;
  /** Optima of mixtures of proxy and truth, by growing weight of the truth; one of them at .1. */
  readonly mixed: readonly MixedOptimum[];
  readonly goodhart: readonly StoredRow[];
  readonly calculator: readonly StoredRow[];
  readonly codebreaker: readonly StoredRow[];
  readonly curriculum: readonly StoredRow[];
  /** Runs that were computed again, and how many of them equal the stored ones. */
  readonly again: {
    readonly goodhart: Reproduced;
    readonly rewards: Reproduced;
    readonly curriculum: Reproduced;
  };
}

/** The claims of notebook 06. */
export function rewardSignalClaims(results: RewardSignalResults): Claim[] {
  return [
    ...optima(results),
    ...climbing(results.goodhart),
    ...steps(results),
    ...curricula(results.curriculum),
    reproduction(results.again),
  ];
}

const numbers = (rows: readonly StoredRow[], column: string): number[] =>
  rows.map((row) => Number(row[column]));
const paired = (a: readonly number[], b: readonly number[]): Interval => difference(a, b, { paired: true });
const text = (values: readonly number[]): string => shown(bootstrapInterval(values));

/** What can be known exactly. */
function optima({ free, costly, mixed }: RewardSignalResults): Claim[] {
  const range = ({ low, high }: ScoreOfOptimum): string => `${low.toFixed(3)} to ${high.toFixed(3)}`;
  const { proxy, outcome, verification } = costly;
  const enough = mixed.find(({ score }) => score > 0.999)?.weight ?? Infinity;
  const tenth = mixed.find(({ weight }) => weight === 0.1)!;
  return [
    {
      claim: "An agent that is optimal for a proxy can be useless",
      source: "Goodhart's law (std)",
      measured:
        `true score of optimal policies, exact: proxy ${range(free)}, with costly calls ${range(proxy)}; ` +
        `outcome ${range(outcome)}`,
      verdict: proxy.high < 0.5 ? "holds" : "not reproduced",
    },
    {
      claim: "Verification on the way leaves the optimum alone",
      source: "Ng, Harada, Russell 1999, theorem 1",
      measured:
        `best return: outcome ${outcome.J.toFixed(3)}, verification ${verification.J.toFixed(3)}; ` +
        `true score ${range(verification)}`,
      verdict: Math.abs(outcome.J - verification.J) < 1e-9 ? "holds" : "not reproduced",
    },
    {
      claim: "A little truth in the reward is enough",
      source: "this notebook",
      measured:
        `optimal agent solves the task from weight ${enough} on; ` +
        `at .1 its true score is ${tenth.score.toFixed(3)}`,
      verdict:
        enough <= 0.1
          ? "holds"
          : `holds only if the weight is ${enough} or more: the proxy is given up in steps`,
    },
  ];
}

/** Training on the proxy from one and the same half-trained policy. */
function climbing(goodhart: readonly StoredRow[]): Claim[] {
  const at = (arm: GoodhartArm, column: string, update: number): number[] =>
    numbers(
      goodhart.filter((row) => row["arm"] === arm && row["update"] === update),
      column,
    );
  const updates = [...new Set(numbers(goodhart, "update"))].sort((a, b) => a - b);
  const [first, last] = [updates[0]!, updates.at(-1)!];
  const end = (arm: GoodhartArm): number[] => at(arm, "score", last);
  const meanAt = (update: number): number => bootstrapInterval(at("proxy", "score", update)).mean;
  const peak = updates.reduce((best, update) => (meanAt(update) > meanAt(best) ? update : best));
  const fall = paired(end("proxy"), at("proxy", "score", first));
  const rise = paired(at("proxy", "paid", last), at("proxy", "paid", first));
  const bump = paired(at("proxy", "score", peak), at("proxy", "score", first));
  const kept = paired(end("proxy, KL .1"), end("proxy"));
  const frozen = paired(end("proxy, KL 1"), end("outcome"));
  return [
    {
      claim: "The true score falls while the proxy still rises",
      source: "2210.10760, Fig. 1 (std)",
      measured:
        `proxy, 20 seeds, first to last twentieth: true score ${shown(fall)}, proxy ${shown(rise)}; ` +
        `rise before the fall, to the highest mean, at update ${peak}: ${shown(bump)}`,
      verdict: fall.high < 0 ? above0(rise) : "not reproduced: the interval contains 0",
    },
    {
      claim: "A KL penalty prevents it",
      source: "common practice [S]",
      measured:
        `true score at the end: KL .1 ${text(end("proxy, KL .1"))}, KL .1 - none ${shown(kept)}; ` +
        `KL 1 - outcome ${shown(frozen)}`,
      verdict: above0(kept, {
        then: "holds only if one gives up on improving: the agent stays near where it started",
      }),
    },
  ];
}

type PaidReward = "outcome" | "checklist" | "verification";

/** Who pays for the steps on the way, and who is credited. */
function steps({ calculator, codebreaker }: RewardSignalResults): Claim[] {
  const scores = (reward: PaidReward, credit: RewardCredit, from = calculator): number[] =>
    numbers(
      from.filter((row) => row["reward"] === reward && row["credit"] === credit),
      "score",
    );
  const at = (reward: PaidReward, credit: RewardCredit): string => text(scores(reward, credit));
  const overOutcome = (reward: PaidReward, credit: RewardCredit): Interval =>
    paired(scores(reward, credit), scores("outcome", credit));
  const checklist = overOutcome("checklist", "trajectory");
  const verified = overOutcome("verification", "reward");
  const own = paired(scores("checklist", "reward"), scores("checklist", "trajectory"));
  const code = (reward: PaidReward, credit: RewardCredit): number[] => scores(reward, credit, codebreaker);
  const codeGap = (reward: PaidReward, credit: RewardCredit): Interval =>
    paired(code(reward, credit), code("outcome", "trajectory"));
  const codeGaps = [codeGap("checklist", "trajectory"), codeGap("checklist", "reward")] as const;
  const isClear = (credit: RewardCredit): boolean => bootstrapInterval(code("checklist", credit)).low > 1 / 9;
  return [
    {
      claim: "A sparse outcome is enough to learn a tool",
      source: "this notebook",
      measured:
        `Calculator, 20 seeds, true score: whole return ${at("outcome", "trajectory")}, ` +
        `from the turn on ${at("outcome", "rewardToGo")}, own ${at("outcome", "reward")}; a blind guess .25`,
      verdict:
        bootstrapInterval(scores("outcome", "trajectory")).low > 0.3
          ? "holds"
          : "not reproduced: it stays at the blind guess",
    },
    {
      claim: "A checklist teaches it",
      source: "CM2, arXiv 2602.12268 [P]",
      measured:
        `whole return ${at("checklist", "trajectory")}, own reward ${at("checklist", "reward")}; ` +
        `minus outcome ${shown(checklist)}`,
      verdict: above0(checklist),
    },
    {
      claim: "Automatic verification of intermediate steps helps",
      source: "notes [N]",
      measured:
        `minus outcome: whole return ${shown(overOutcome("verification", "trajectory"))}, ` +
        `from the turn on ${shown(overOutcome("verification", "rewardToGo"))}, own reward ${shown(verified)}`,
      verdict: above0(verified, {
        then: "holds only if each turn is credited with its own reward: a rule that sums it up sees nothing",
        otherwise: "not reproduced: the intervals contain 0",
      }),
    },
    {
      claim: "Credit per turn is better than credit per trajectory",
      source: "notes [N]",
      measured:
        `own reward - whole return under the checklist ${shown(own)}; ` +
        `under the outcome ${at("outcome", "reward")} against ${at("outcome", "trajectory")}`,
      verdict: above0(own, { then: "holds only if there is a reward on the way to credit" }),
    },
    {
      claim: "A checklist helps wherever there is one",
      source: "this notebook",
      measured:
        `Codebreaker, 20 seeds, true score: checklist ${text(code("checklist", "trajectory"))}, ` +
        `own reward ${text(code("checklist", "reward"))}; minus outcome's: checklist ${shown(codeGaps[0])}, ` +
        `own reward ${shown(codeGaps[1])}, verification, own reward ${shown(codeGap("verification", "reward"))}`,
      verdict:
        isClear("reward") || isClear("trajectory")
          ? "holds"
          : codeGaps.some(({ low }) => low > 0)
            ? "holds only if a few hundredths over the outcome count: no arm is clear of the blind guess, 1/9"
            : "not reproduced: nothing is clear of the blind guess, 1/9",
    },
  ];
}

/** Which mazes to train on, judged on the hardest. */
function curricula(curriculum: readonly StoredRow[]): Claim[] {
  const of = (arm: CurriculumArm): StoredRow[] => curriculum.filter((row) => row["arm"] === arm);
  const last = Math.max(...numbers(curriculum, "update"));
  const end = (arm: CurriculumArm): number[] =>
    numbers(
      of(arm).filter((row) => row["update"] === last),
      "hardest",
    );
  const seeds = [...new Set(numbers(curriculum, "seed"))].sort((a, b) => a - b);
  const overall = (arm: CurriculumArm): number[] =>
    seeds.map((seed) => {
      const own = numbers(
        of(arm).filter((row) => row["seed"] === seed),
        "hardest",
      );
      return own.reduce((a, b) => a + b) / own.length;
    });
  const overHardest = paired(end("adaptive"), end("hardest only"));
  const speed = paired(overall("adaptive"), overall("uniform"));
  return [
    {
      claim: "An adaptive curriculum beats training on the hardest task",
      source: "PACED-RL, arXiv 2602.12642 [S]",
      measured:
        `hardest maze, ${seeds.length} seeds, update ${last}: adaptive ${text(end("adaptive"))}, ` +
        `hardest only ${text(end("hardest only"))}; difference ${shown(overHardest)}`,
      verdict: above0(overHardest),
    },
    {
      claim: "It beats a uniform mixture of levels",
      source: "this notebook",
      measured:
        `adaptive - uniform: end ${shown(paired(end("adaptive"), end("uniform")))}, ` +
        `mean of all updates ${shown(speed)}`,
      verdict: above0(speed, { below: "not reproduced: the mixture is faster and ends as high" }),
    },
  ];
}

function reproduction({ goodhart, rewards, curriculum }: RewardSignalResults["again"]): Claim {
  const all = [goodhart, rewards, curriculum];
  const sum = (what: keyof Reproduced): number => all.reduce((total, part) => total + part[what], 0);
  return {
    claim: "Stored runs are what the library computes now",
    source: "this notebook",
    measured:
      `equal: ${goodhart.equal} of ${goodhart.of} on the proxy, ${rewards.equal} of ${rewards.of} of part B, ` +
      `${curriculum.equal} of ${curriculum.of} curriculum`,
    verdict: reproduces(sum("equal"), sum("of")),
  };
}
