import { make } from "turnwise/internal/env/index";
import type { Env } from "turnwise/internal/env/env";
import type { PolicyOptions } from "turnwise/internal/policy/index";
import type { RecipeName } from "turnwise/internal/rule/index";
import { studySeeds } from "../../shared/studySeeds";

/** The worlds, and the number of updates in each. */
export const sampledWorlds = Object.freeze({
  lookUp: { updates: 40, make: (): Env => make("LookUp-v0") },
  lake: { updates: 30, make: (): Env => make("FrozenLake-v0", { slippery: false }) },
  sokoban: { updates: 60, make: (): Env => make("Sokoban-v0") },
  keyDoor: { updates: 120, make: (): Env => make("KeyDoor-v0") },
});

/** A world of the study. */
export type SampledWorld = keyof typeof sampledWorlds;

interface SampledArm {
  readonly worlds: readonly SampledWorld[];
  readonly rule: RecipeName;
  readonly groupSize: number;
  /** Of how many members in a row the best is kept; 1 keeps all. */
  readonly bestOf?: number;
  /** Times the updates of the world. */
  readonly longer?: number;
  readonly policy?: PolicyOptions;
  /** The arm whose learning rate it takes, and how many times; by default its own. */
  readonly rateOf?: string;
  readonly times?: number;
}

const searched = ["lookUp", "lake", "sokoban"] as const;
const ranked = ["lookUp", "lake"] as const;

const oneWord = {
  worlds: ["keyDoor"],
  rule: "grpo",
  groupSize: 8,
  policy: { kind: "mlp", window: 2 },
} as const;

const ranking = {
  REINFORCE: { worlds: ranked, rule: "reinforce", groupSize: 8, longer: 3 },
  PPO: { worlds: ranked, rule: "ppo", groupSize: 8, longer: 3, policy: { valueHead: true } },
  GRPO: { worlds: ranked, rule: "grpo", groupSize: 8, longer: 3 },
} as const;

/** A rule of the ranking at four times its learning rate. */
const timesFour = (rateOf: keyof typeof ranking): SampledArm => ({ ...ranking[rateOf], rateOf, times: 4 });

/** Eight groups a batch, two epochs of two minibatches, Adam. */
const arms = {
  "best of four": { worlds: searched, rule: "grpo", groupSize: 32, bestOf: 4 },
  "all 32": { worlds: searched, rule: "grpo", groupSize: 32 },
  "8 and four times the updates": { worlds: searched, rule: "grpo", groupSize: 8, longer: 4 },
  "whole history": { worlds: ["keyDoor"], rule: "grpo", groupSize: 8, policy: { kind: "mlp" } },
  "one word": oneWord,
  "one word, four times the updates": { ...oneWord, longer: 4, rateOf: "one word" },
  ...ranking,
  "REINFORCE, rate times four": timesFour("REINFORCE"),
  "PPO, rate times four": timesFour("PPO"),
  "GRPO, rate times four": timesFour("GRPO"),
} satisfies Readonly<Record<string, SampledArm>>;

/** An arm of the study. */
export type SampledArmName = keyof typeof arms;

export const sampledArms: Readonly<Record<SampledArmName, SampledArm>> = Object.freeze(arms);

/** Learning rates of Adam among which each arm's is chosen in each world. */
export const sampledRates = Object.freeze([0.0125, 0.025, 0.05, 0.1, 0.2, 0.4] as const);

/** Seeds below `confirmFrom` find, the others confirm; those of the tuning are in neither. */
export const sampledSeeds = studySeeds;

/** The smallest effect that matters: of mean success. */
export const smallestSampledEffect = 0.05;
