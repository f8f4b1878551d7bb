import type { Recipe } from "../rule";
import { recipe } from "../rule";
import { creditFigures, creditRows, repairedCredit } from "./creditBench";
import { delayedEffect, stopOrGo } from "./worlds";

/** A figure that AgentCreditBench publishes, and the same one computed here. */
export interface PublishedCredit {
  readonly what: string;
  readonly published: number;
  /** File of hectopascal/agent-credit-bench at commit 02afaf3. */
  readonly source: string;
  readonly exact: boolean;
  /** Largest difference allowed: rounding if both are exact, else the range that sampling explains. */
  readonly tolerance: number;
  ours(): number;
}

const rloo = creditRows["leaveOneOut"]!;
const sweep = "results/audit_fixes_2026-09-07/variable_horizon_sweep.csv";
const delayedFile = "results/audit_fixes_2026-09-07/delayed_horizon_sweep.csv";

/** Their horizon counts the forced last STOP: one more than our turns. */
const mse = (horizon: number, stop: number, groupSize: number) => (): number =>
  creditFigures("", rloo, { name: "stopOrGo", env: stopOrGo(horizon - 1), first: stop }, { groupSize })
    .gradientMse;

const leakage = (rule: Recipe, turns: number) => (): number =>
  creditFigures(
    "",
    rule,
    { name: "delayed", env: delayedEffect(turns), first: 0.5 },
    { groupSize: 64, enumerate: 0 },
  ).leakage;

const thousands = { groupSize: 2000, batches: 30 } as const;
const onRepair = (rule: Recipe, part: "bad" | "recover") => (): number =>
  repairedCredit(rule, thousands)[part];

const grpo = creditRows["mean, group scale"]!;
const gigpo = creditRows["gigpo, gamma 1, group scale"]!;
const whitened = (lambda: number): Recipe => recipe("ppo", { advantage: { gamma: 1, lambda } });

/** Published statements that our advantages can be compared with, from the benchmark's files and README. */
export const publishedCredit: readonly PublishedCredit[] = Object.freeze([
  {
    what: "normalized gradient MSE of leave-one-out, horizon 8, stop probability .65, groups of 4, over all batches",
    published: 0.75215,
    source: "README.md",
    exact: true,
    tolerance: 5e-6,
    ours: mse(8, 0.65, 4),
  },
  ...(
    [
      [3, 2, 1.66],
      [3, 4, 0.419444],
      [3, 8, 0.150298],
      [5, 2, 3.161277],
      [5, 4, 0.958676],
      [5, 8, 0.377312],
    ] as const
  ).map(([horizon, groupSize, published]) => ({
    what: `the same, horizon ${horizon}, stop probability .5, groups of ${groupSize}, their mean of 200 batches`,
    published,
    source: sweep,
    exact: false,
    tolerance: 0.2 * published,
    ours: mse(horizon, 0.5, groupSize),
  })),
  ...([2, 4, 8] as const).map((turns) => ({
    what: `share of leave-one-out's credit on turns without effect, horizon ${turns}`,
    published: (turns - 1) / turns,
    source: delayedFile,
    exact: true,
    tolerance: 1e-6,
    ours: leakage(rloo, turns),
  })),
  ...(
    [
      ["leave-one-out", rloo, "bad", 0.249],
      ["GRPO", grpo, "bad", 0.58],
      ["GiGPO with standard deviations", gigpo, "bad", 1.1511],
      ["GiGPO with standard deviations", gigpo, "recover", 1.5714],
      ["verl's whitened GAE, lambda 1, exact critic", whitened(1), "bad", 0.56],
      ["verl's whitened GAE, lambda 1, exact critic", whitened(1), "recover", 1.1],
      ["verl's whitened GAE, lambda 0, exact critic", whitened(0), "bad", -0.69],
      ["verl's whitened GAE, lambda 0, exact critic", whitened(0), "recover", 1.42],
    ] as const
  ).map(([name, rule, part, published]) => ({
    what: `credit of ${part.toUpperCase()} on the repaired path, ${name}, groups of 2,000`,
    published,
    source: part === "bad" && name === "leave-one-out" ? "docs/validation_report.md" : "README.md",
    exact: false,
    tolerance: 0.03,
    ours: onRepair(rule, part),
  })),
]);
