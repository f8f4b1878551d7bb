import { enumerateReturn } from "turnwise/internal/exact/index";
import { TabularPolicy, type Policy } from "turnwise/internal/policy/index";
import type { History } from "turnwise/internal/policy/policy";
import { recipe, type RecipeName } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import { bankEnv, type Operation } from "./bankWorld";
import { costOf, exactReturn, type ArmRun, type Outcome } from "./outcome";

interface BankArm {
  readonly rule: RecipeName;
  /** Operations that the manager may use; the first one stands for the others. */
  readonly allowed?: readonly Operation[];
}

/** The manager of the bank, and the rule that trains manager and reader on the answer alone. */
export const bankArms = Object.freeze({
  "adds everything": { rule: "grpo", allowed: ["add"] },
  "all four, GRPO": { rule: "grpo" },
  "all four, PPO": { rule: "ppo" },
} satisfies Readonly<Record<string, BankArm>>);

/** An arm of `bankArms`. */
export type BankArmName = keyof typeof bankArms;

const UPDATES = 200;

/** Trains one table for manager and reader on 8 x 8 episodes an update; then enumerates how often the answer is right. */
export async function bankRun(arm: BankArmName, { rate, seed, report }: ArmRun): Promise<Outcome> {
  const { rule, allowed }: BankArm = bankArms[arm];
  const env = bankEnv(allowed);
  const run = train({
    env,
    recipe: recipe(rule, {
      update: { epochs: 2, minibatches: 2, optimizer: { kind: "adam", learningRate: rate } },
    }),
    policy: { memory: "observation", ...(rule === "ppo" && { valueHead: true }) },
    updates: UPDATES,
    seed,
  });
  const cost = await costOf(run, UPDATES, report);
  const success = exactReturn(env, run.policy);
  return { success, second: 0, trained: success, ...cost };
}

/** The best answers of a reader for a manager that adds every message: for each context, the value that is right most often. */
export function addedOptimum(): number {
  const env = bankEnv(["add"]);
  const policy = new TabularPolicy(env.spec, { memory: "observation" });
  const { histories } = enumerateReturn(env, policy, { gradient: false });
  return histories
    .filter(({ observation }) => observation.includes("ask"))
    .reduce((sum, { probability, turnValue }) => sum + probability * Math.max(...turnValue), 0);
}

/** Success of a manager that adds what is new, updates what it knows and leaves out the rest, with a reader of the one entry. */
export function managedOptimum(): number {
  const env = bankEnv();
  const { vocabulary, observationVocabulary } = env.spec;
  const word = (names: readonly string[]): string => {
    const last = names.at(-1)!;
    const kept = names.slice(0, -1);
    const about = last.startsWith("ask") ? last.at(-1)! : last[0]!;
    const entry = kept.find((name) => name.startsWith(`${about}-`));
    if (last.startsWith("ask")) return `answer-${entry!.at(-1)!}`;
    if (last === "chatter") return "noop";
    return entry === undefined ? "add" : "update";
  };
  const policy = {
    contextOf: ({ observations }: History) =>
      observations.at(-1)!.tokens.map((token) => observationVocabulary[token - vocabulary.length]!),
    nextTokenLogProb: (names: readonly string[]) =>
      Float64Array.from(vocabulary, (one) => (one === word(names) ? 0 : -Infinity)),
  } as unknown as Policy;
  return exactReturn(env, policy);
}
