import { make, sharedVocabulary, type Env } from "turnwise/internal/env/index";
import { recipe, type Recipe, type RecipeName, type RecipeOverrides } from "turnwise/internal/rule/index";
import { studySeeds } from "../shared/studySeeds";
import type { StudyQuestion } from "./study";

interface NetworkWorld {
  readonly title: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the policy can write the environment's words. */
  readonly shared: boolean;
  readonly updates: number;
}

/** Worlds of the study, all of them LookUp-v0, in which an MLP begins that knows the format of calls. */
export const networkWorlds = Object.freeze({
  facts: { title: "LookUp-v0, two facts, one vocabulary", options: { facts: 2 }, shared: true, updates: 60 },
  demonstrated: {
    title: "LookUp-v0, a policy that follows demonstrations",
    options: {},
    shared: false,
    updates: 100,
  },
} satisfies Readonly<Record<string, NetworkWorld>>);

/** A world of `networkWorlds`. */
export type NetworkWorldName = keyof typeof networkWorlds;

/** Learning rates of Adam among which each arm's is chosen in each world. */
export const networkRates = Object.freeze([0.001, 0.002, 0.004, 0.008, 0.016] as const);

/** Seeds of the other small studies, and half of their seeds for the tuning. */
export const networkSeeds = Object.freeze({ ...studySeeds, tuning: studySeeds.tuning.slice(0, 4) });

/**
 * Exact outcome of a run: the mean score over five looks at equal distances; or, at the end, how far the policy still follows a
 * demonstration, whatever it shows.
 */
export type NetworkOutcome = "learned" | "kept";

interface NetworkArm {
  /** Null for imitation: the demonstrations of OPSD, one for each group, as targets. */
  readonly rule: RecipeName | null;
  readonly cells?: RecipeOverrides;
}

/** The arms; batches are 8 groups of 8. */
export const networkArms = Object.freeze({
  ECHO: { rule: "echo" },
  "ECHO without answers": { rule: "echo", cells: { regularizer: { observationCoef: 0 } } },
  OPSD: { rule: "opsd" },
  "imitation of the same demonstrations": { rule: null },
  GRPO: { rule: "grpo" },
  "on-policy distillation of the optimum": { rule: "onPolicyDistillation" },
} satisfies Readonly<Record<string, NetworkArm>>);

/** An arm of `networkArms`. */
export type NetworkArmName = keyof typeof networkArms;

/** A claim, as a comparison of two arms. */
export type NetworkQuestion = StudyQuestion<NetworkWorldName, NetworkArmName, NetworkOutcome>;

/** The questions, named before the first run on a seed of the study. */
export const networkQuestions: readonly NetworkQuestion[] = Object.freeze([
  {
    rule: "echo",
    claim: "Learning what the environment answers speeds the policy up",
    source: "ECHO, 2605.24517 [P]",
    own: "ECHO",
    other: "ECHO without answers",
    outcome: "learned",
    worlds: ["facts"],
  },
  {
    rule: "opsd",
    claim: "Agreeing with itself after a demonstration learns more than imitating the demonstration",
    source: "self-distillation, 2601.19897 [P]",
    own: "OPSD",
    other: "imitation of the same demonstrations",
    outcome: "learned",
    worlds: ["demonstrated"],
  },
  {
    rule: "opsd",
    claim: "It forgets less of what the policy could do before",
    source: "self-distillation, 2601.19897 [P]",
    own: "OPSD",
    other: "imitation of the same demonstrations",
    outcome: "kept",
    worlds: ["demonstrated"],
  },
  {
    rule: "opsd",
    claim: "It learns more, without a reward, than GRPO learns from the reward of as many episodes",
    source: "derived [D]: the paper needs no reward",
    own: "OPSD",
    other: "GRPO",
    outcome: "learned",
    worlds: ["demonstrated"],
  },
  {
    rule: "opsd",
    claim: "The policy itself is no worse a teacher than the exact optimum",
    source: "derived [D]: the paper has no other teacher",
    own: "OPSD",
    other: "on-policy distillation of the optimum",
    outcome: "learned",
    claims: "no loss",
    worlds: ["demonstrated"],
  },
]);

/** The arms that the questions compare in a world, in the order of `networkArms`. */
export function networkArmsIn(world: NetworkWorldName): readonly NetworkArmName[] {
  const asked = networkQuestions.filter(({ worlds }) => worlds.includes(world));
  return (Object.keys(networkArms) as NetworkArmName[]).filter((name) =>
    asked.some(({ own, other }) => own === name || other === name),
  );
}

/** The rule of an arm, with Adam at a learning rate; undefined for imitation. */
export function networkRule(name: NetworkArmName, learningRate: number): Recipe | undefined {
  const { rule, cells }: NetworkArm = networkArms[name];
  if (rule === null) return undefined;
  return recipe(rule, { ...cells, update: { optimizer: { kind: "adam", learningRate } } } as RecipeOverrides);
}

/** The world by name. */
export function networkWorld(name: NetworkWorldName): Env {
  const { options, shared } = networkWorlds[name];
  const env = make("LookUp-v0", options);
  return shared ? sharedVocabulary(env) : env;
}
