import type { Claim } from "turnwise/internal/plot/index";
import { across, effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { above, type Effect } from "turnwise/internal/verdict/effect";
import { verdict, verdicts } from "turnwise/internal/verdict/verdict";
import type { Reproduced } from "turnwise/internal/verdict/words";
import type { CurriculumArm } from "./curriculumRun";
import { rewardSignalEffects as smallest } from "./effects";
import type { VerifierName } from "./fallibleVerifier";
import { climbingClaims, optimumClaims } from "./proxyClaims";
import { rewardCredits, type RewardCredit } from "../shared/credit/rewardRecipe";
import { numbers, paired, text } from "../shared/samples";
import type { MixedOptimum, ScoreOfOptimum } from "./scoreOfOptimum";
import { verifierClaims } from "./verifierClaims";

/** Measurements for the claims about the reward signal: exact optima, and tables of `datasets/measured`. */
export interface RewardSignalResults {
  /** Optima of the proxy in a Calculator whose calls are free. */
  readonly free: ScoreOfOptimum;
  /** Optima of each reward where a call costs .1. */
  readonly costly: Readonly<Record<"outcome" | "verification" | "proxy", ScoreOfOptimum>>;
  /** Optima of mixtures of proxy and truth, by growing weight of the truth; one of them at .1. */
  readonly mixed: readonly MixedOptimum[];
  readonly goodhart: readonly StoredRecord[];
  readonly calculator: readonly StoredRecord[];
  readonly codebreaker: readonly StoredRecord[];
  readonly curriculum: readonly StoredRecord[];
  readonly verifier: readonly StoredRecord[];
  /** Optima under each verifier. */
  readonly trusted: Readonly<Record<VerifierName, ScoreOfOptimum>>;
  /** Runs that were computed again, and how many of them equal the stored ones. */
  readonly again: {
    readonly goodhart: Reproduced;
    readonly rewards: Reproduced;
    readonly curriculum: Reproduced;
    readonly verifier: Reproduced;
  };
}

/** The claims of lesson 07. */
export function rewardSignalClaims(results: RewardSignalResults): Claim[] {
  return [
    ...optimumClaims(results),
    ...climbingClaims(results.goodhart),
    ...stepClaims(results),
    ...curriculumClaims(results.curriculum),
    ...verifierClaims(results),
    reproduction(results.again),
  ];
}

type PaidReward = "outcome" | "checklist" | "verification";

/** A blind guess in the Calculator. */
const BLIND = 0.25;

/** Claims about paying for the steps on the way, and about the credit for them. */
export function stepClaims({
  calculator,
  codebreaker,
}: Pick<RewardSignalResults, "calculator" | "codebreaker">): Claim[] {
  const scores = (reward: PaidReward, credit: RewardCredit, from = calculator): number[] =>
    numbers(
      from.filter((row) => row["reward"] === reward && row["credit"] === credit),
      "score",
    );
  const at = (reward: PaidReward, credit: RewardCredit): string => text(scores(reward, credit));
  const overOutcome = (reward: PaidReward, credit: RewardCredit, from = calculator): Effect =>
    paired(scores(reward, credit, from), scores("outcome", credit, from));
  const byCredit = (of: (credit: RewardCredit) => Effect): Readonly<Record<RewardCredit, Effect>> =>
    Object.fromEntries(rewardCredits.map((credit) => [credit, of(credit)])) as Record<RewardCredit, Effect>;
  const sparse = byCredit((credit) => above(scores("outcome", credit), BLIND));
  const checklist = byCredit((credit) => overOutcome("checklist", credit));
  const verified = byCredit((credit) => overOutcome("verification", credit));
  const rewards = ["outcome", "checklist", "verification"] as const;
  const own = rewards.map((reward) => ({
    reward,
    effect: paired(scores(reward, "reward"), scores(reward, "trajectory")),
  }));
  const code = (reward: PaidReward, credit: RewardCredit): number[] => scores(reward, credit, codebreaker);
  const worlds = { "Calculator-v0": calculator, "Codebreaker-v0": codebreaker };
  const anywhere = Object.entries(worlds).flatMap(([world, from]) =>
    (["trajectory", "reward"] as const).map((credit) => ({
      setting: { world, credit },
      effect: overOutcome("checklist", credit, from),
    })),
  );
  const smallestEffectOfInterest = smallest.score;
  const decided = verdicts({
    sparse: { conditions: across("credit", sparse), smallestEffectOfInterest },
    checklist: { conditions: across("credit", checklist), smallestEffectOfInterest },
    verified: { conditions: across("credit", verified), smallestEffectOfInterest },
    own: {
      conditions: own.map(({ reward, effect }) => ({ setting: { reward }, effect })),
      smallestEffectOfInterest,
    },
    anywhere: { conditions: anywhere, smallestEffectOfInterest },
  });
  const three = (effects: Readonly<Record<RewardCredit, Effect>>): string =>
    `whole return ${effectText(effects.trajectory)}, from the turn on ${effectText(effects.rewardToGo)}, ` +
    `own reward ${effectText(effects.reward)}`;
  return [
    {
      claim: "A sparse outcome is enough to learn a tool",
      source: "this notebook",
      measured:
        `Calculator, ${scores("outcome", "trajectory").length} seeds, true score: ` +
        `whole return ${at("outcome", "trajectory")}, from the turn on ${at("outcome", "rewardToGo")}, ` +
        `own ${at("outcome", "reward")}; a blind guess ${String(BLIND).slice(1)}`,
      verdict: decided.sparse,
    },
    {
      claim: "A checklist teaches it",
      source: "CM2, arXiv 2602.12268 [P]",
      measured:
        `whole return ${at("checklist", "trajectory")}, own reward ${at("checklist", "reward")}; ` +
        `minus outcome: ${three(checklist)}`,
      verdict: decided.checklist,
    },
    {
      claim: "Automatic verification of intermediate steps helps",
      source: "notes [N]",
      measured: `minus outcome: ${three(verified)}`,
      verdict: decided.verified,
    },
    {
      claim: "Credit per turn is better than credit per trajectory",
      source: "notes [N]",
      measured: `own reward - whole return: ${own.map(({ reward, effect }) => `${reward} ${effectText(effect)}`).join(", ")}`,
      verdict: decided.own,
    },
    {
      claim: "A checklist helps wherever there is one",
      source: "this notebook",
      measured:
        `Codebreaker, ${code("outcome", "trajectory").length} seeds, true score: ` +
        `checklist ${text(code("checklist", "trajectory"))}, own reward ${text(code("checklist", "reward"))}; ` +
        `minus outcome: ${anywhere.map(({ setting, effect }) => `${setting.world}, ${setting.credit} ${effectText(effect)}`).join(", ")}; ` +
        "a blind guess is worth 1/9",
      verdict: decided.anywhere,
    },
  ];
}

/** Which mazes to train on, judged on the hardest. */
export function curriculumClaims(curriculum: readonly StoredRecord[]): Claim[] {
  const of = (arm: CurriculumArm): StoredRecord[] => curriculum.filter((row) => row["arm"] === arm);
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
  const atEnd = paired(end("adaptive"), end("uniform"));
  const speed = paired(overall("adaptive"), overall("uniform"));
  const smallestEffectOfInterest = smallest.score;
  const decided = verdicts({
    overHardest: { effect: overHardest, smallestEffectOfInterest },
    atEnd: { effect: atEnd, smallestEffectOfInterest },
    speed: { effect: speed, smallestEffectOfInterest },
  });
  return [
    {
      claim: "An adaptive curriculum beats training on the hardest task",
      source: "PACED-RL, arXiv 2602.12642 [S]",
      measured:
        `hardest maze, ${seeds.length} seeds, update ${last}: adaptive ${text(end("adaptive"))}, ` +
        `hardest only ${text(end("hardest only"))}; difference ${effectText(overHardest)}`,
      verdict: decided.overHardest,
    },
    {
      claim: "It ends higher than a uniform mixture of levels",
      source: "this notebook",
      measured: `adaptive - uniform, update ${last}: ${effectText(atEnd)}`,
      verdict: decided.atEnd,
    },
    {
      claim: "It is faster than a uniform mixture of levels",
      source: "this notebook",
      measured: `adaptive - uniform, mean of all updates: ${effectText(speed)}`,
      verdict: decided.speed,
    },
  ];
}

function reproduction({ goodhart, rewards, curriculum, verifier }: RewardSignalResults["again"]): Claim {
  const all = [goodhart, rewards, curriculum, verifier];
  const sum = (what: keyof Reproduced): number => all.reduce((total, part) => total + part[what], 0);
  return {
    claim: "Stored runs are what the library computes now",
    source: "this notebook",
    measured:
      `equal: ${goodhart.equal} of ${goodhart.of} on the proxy, ${rewards.equal} of ${rewards.of} of part B, ` +
      `${curriculum.equal} of ${curriculum.of} curriculum, ${verifier.equal} of ${verifier.of} on a verifier`,
    verdict: verdict({ equal: sum("equal"), of: sum("of") }),
  };
}
