import type { Claim } from "turnwise/internal/plot/index";
import { effectText } from "turnwise/internal/verdict/effectText";
import { numbers, text } from "../shared/samples";
import type { StoredRecord } from "../shared/storedTable";
import type { Setting } from "turnwise/internal/verdict/condition";
import { gain, gainInHalves, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdicts, type Condition } from "turnwise/internal/verdict/verdict";
import { stepCreditEffects as smallest } from "./effects";
import type { AnythingArm } from "./anythingRun";

/** Seeds below it find, the others confirm. */
const CONFIRM_FROM = 20;
/** The two budgets at which arms are compared, and the columns that hold what they have come to. */
const budgets = { "environment steps": "bySteps", "optimizer steps": "byOptimiser" } as const;
const whole: AnythingArm = "all parts";
type Pair = readonly [own: AnythingArm, other: AnythingArm];

/** Claims about the contribution of each part of RLAnything: rows of `datasets/measured/step-anything.csv`. */
export function anythingClaims(rows: readonly StoredRecord[]): Claim[] {
  const worlds = [...new Set(rows.map((row) => String(row["world"])))];
  const of = (world: string, arm: AnythingArm): StoredRecord[] =>
    rows.filter((row) => row["world"] === world && row["arm"] === arm);
  const seeded = (own: readonly StoredRecord[], column: string): SeedValue[] =>
    own.map((row) => ({ seed: Number(row["seed"]), value: Number(row[column]) }));
  const halves = (world: string, [own, other]: Pair, column: string) =>
    gainInHalves(seeded(of(world, own), column), seeded(of(world, other), column), {
      confirmFrom: CONFIRM_FROM,
    });
  const over = (pair: Pair, setting: Setting = {}): Condition[] =>
    worlds.flatMap((world) =>
      Object.entries(budgets).map(([budget, column]) => ({
        setting: { world, ...setting, budget },
        effect: halves(world, pair, column),
      })),
    );
  const added = (pair: Pair): string =>
    worlds
      .map((world) => {
        const each = Object.entries(budgets).map(([budget, column]) => {
          const [own, without] = pair.map((arm) => numbers(of(world, arm), column));
          return `${effectText(gain(own!, without!))} at equal ${budget}`;
        });
        return `${world} ${each.join(", ")}`;
      })
      .join("; ");
  const smallestEffectOfInterest = smallest.score;
  const decided = verdicts({
    votes: { conditions: over([whole, "no votes"]), smallestEffectOfInterest },
    learns: { conditions: over([whole, "judge fixed"]), smallestEffectOfInterest },
    adapts: {
      conditions: [
        ...over([whole, "tasks fixed"], { paid: "votes" }),
        ...over(["no votes", "outcome alone"], { paid: "outcome alone" }),
      ],
      smallestEffectOfInterest,
    },
    all: { conditions: over([whole, "outcome alone"]), smallestEffectOfInterest },
    judge: {
      conditions: worlds.map((world) => ({
        setting: { world },
        effect: halves(world, [whole, "judge fixed"], "judge"),
      })),
      smallestEffectOfInterest: smallest.judge,
    },
  });
  const source = "RLAnything, arXiv 2602.02488 [P]";
  const success = "success over all levels gained";
  return [
    {
      claim: "Votes on turns add to the rest of RLAnything",
      source,
      measured: `${success} by them: ${added([whole, "no votes"])}`,
      verdict: decided.votes,
    },
    {
      claim: "A judge that learns adds to it",
      source,
      measured: `${success} over a fixed judge: ${added([whole, "judge fixed"])}`,
      verdict: decided.learns,
    },
    {
      claim: "Adapted tasks beat fixed ones",
      source,
      measured: `${success} over the tasks as they were, with votes: ${added([whole, "tasks fixed"])}; with the outcome alone: ${added(["no votes", "outcome alone"])}`,
      verdict: decided.adapts,
    },
    {
      claim: "All parts together beat the outcome alone on the tasks as they were",
      source,
      measured: `${success}: ${added([whole, "outcome alone"])}`,
      verdict: decided.all,
    },
    {
      claim: "By its own votes and the outcomes alone, a judge learns to judge better",
      source,
      measured:
        "share of votes that are right at the end, learning against fixed: " +
        worlds
          .map(
            (world) =>
              `${world} ${text(numbers(of(world, whole), "judge"))} against ${text(numbers(of(world, "judge fixed"), "judge"))}`,
          )
          .join("; "),
      verdict: decided.judge,
    },
  ];
}
