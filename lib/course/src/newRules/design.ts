import { make, type Env, type EnvSpec, Wrapper } from "turnwise/internal/env/index";
import { inTurns } from "turnwise/internal/env/inTurns";
import type { PolicyOptions } from "turnwise/internal/policy/index";
import { recipe, type Recipe, type RecipeName, type RecipeOverrides } from "turnwise/internal/rule/index";
import { studySeeds } from "../shared/studySeeds";

interface RuleWorld {
  readonly title: string;
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly policy?: PolicyOptions;
  readonly updates: number;
  /** Age of the policy that samples, in updates; 0 if left out. */
  readonly staleness?: number;
  /** Agents that take the turns of the world one after the other. */
  readonly team?: readonly string[];
}

/** Worlds of the study, each with a policy that begins uniform. */
export const ruleWorlds = Object.freeze({
  lookUp: { title: "LookUp-v0", id: "LookUp-v0", options: {}, updates: 80 },
  tMaze: { title: "TMaze-v0", id: "TMaze-v0", options: {}, updates: 30 },
  handOver: {
    title: "HandOver-v0, two agents",
    id: "HandOver-v0",
    options: {},
    policy: { memory: "turnObservation" },
    updates: 60,
  },
  fourDoors: {
    title: "HandOver-v0, two agents and four doors",
    id: "HandOver-v0",
    options: { doors: 4 },
    policy: { memory: "turnObservation" },
    updates: 60,
  },
  sixDoors: {
    title: "HandOver-v0, two agents and six doors",
    id: "HandOver-v0",
    options: { doors: 6 },
    policy: { memory: "turnObservation" },
    updates: 60,
  },
  staleLookUp: {
    title: "LookUp-v0, sampled by the policy of eight updates ago",
    id: "LookUp-v0",
    options: {},
    updates: 160,
    staleness: 8,
  },
  staleTMaze: {
    title: "TMaze-v0, sampled by the policy of eight updates ago",
    id: "TMaze-v0",
    options: {},
    updates: 40,
    staleness: 8,
  },
  keyDoor: { title: "KeyDoor-v0", id: "KeyDoor-v0", options: {}, updates: 20 },
  sharedLookUp: {
    title: "LookUp-v0 with two facts, two agents",
    id: "LookUp-v0",
    options: { facts: 2 },
    team: ["finder", "answerer"],
    updates: 40,
  },
} satisfies Readonly<Record<string, RuleWorld>>);

/** A world of `ruleWorlds`. */
export type RuleWorldName = keyof typeof ruleWorlds;

/** Learning rates of Adam among which each arm's is chosen in each world. */
export const ruleRates = Object.freeze([0.0125, 0.025, 0.05, 0.1, 0.2, 0.4] as const);

/** Seeds below `confirmFrom` find, the others confirm; those of the tuning are in neither. */
export const ruleSeeds = studySeeds;

/** Exact outcome of a run: the mean score over ten looks at equal distances, or the chance of a success in eight tries at the end. */
export type RuleOutcome = "learned" | "passAt8" | "final";

/** A rule with a name of its own in the study. */
export interface RuleArm {
  readonly rule: RecipeName;
  readonly cells?: RecipeOverrides;
  readonly groups?: number;
  readonly groupSize?: number;
  /** Whether the world hides which agent takes a turn. */
  readonly unmarked?: boolean;
  /** Outcome by which the learning rate is chosen. */
  readonly tunedBy?: RuleOutcome;
}

const turnPpo = { advantage: { gamma: 0.99, lambda: 0.9 } } as const;

/** The arms: batches are 8 groups of 8 unless an arm has others. */
export const ruleArms = Object.freeze({
  ReMax: { rule: "reMax", groups: 32, groupSize: 1 },
  "REINFORCE, no baseline": { rule: "reinforce", groups: 64, groupSize: 1 },
  "PPO, one episode a start": { rule: "ppo", groups: 64, groupSize: 1 },
  "REINFORCE++-baseline": { rule: "reinforcePlusPlusBaseline" },
  "the same, divided by the group's deviation": {
    rule: "reinforcePlusPlusBaseline",
    cells: { scale: "group" },
  },
  GPG: { rule: "gpg" },
  "GPG without alpha": { rule: "gpg", cells: { filter: "none" } },
  GRPO: { rule: "grpo" },
  "GRPO for pass@8": { rule: "grpoPassK", tunedBy: "passAt8" },
  "the same with the mean return": { rule: "grpoPassK", cells: { advantage: "mean" }, tunedBy: "passAt8" },
  RAE: { rule: "rae" },
  "RAE, one baseline for all agents": { rule: "rae", unmarked: true },
  "RAE without a baseline": { rule: "rae", cells: { reward: { step: "none" }, advantage: "return" } },
  "hierarchical GRPO": { rule: "hierarchicalGrpo" },
  "the same forks, one group": { rule: "hierarchicalGrpo", cells: { advantage: "mean" } },
  "the same without forks": {
    rule: "hierarchicalGrpo",
    cells: { forks: "none", advantage: "mean" },
  },
  AgentOPSD: { rule: "agentOpsd" },
  "AgentOPSD, all turns alike": { rule: "agentOpsd", cells: { advantage: { weight: 0 } } },
  "Turn-PPO": { rule: "turnPpo", cells: turnPpo },
  PPO: { rule: "ppo" },
  C3: { rule: "c3" },
  "C3's loss, leave-one-out without forks": {
    rule: "c3",
    cells: { forks: "none", advantage: "leaveOneOut" },
  },
  "C3, thirteen groups": { rule: "c3", groups: 13 },
  "C3's forks, leave-one-out over all": { rule: "c3", cells: { advantage: "leaveOneOut" } },
  VCPO: { rule: "vcpo" },
  "VCPO with the full learning rate": { rule: "vcpo", cells: { update: { stepScale: "none" } } },
  "VCPO with the group's mean": { rule: "vcpo", cells: { advantage: "mean" } },
  "VCPO's loss alone": { rule: "vcpo", cells: { advantage: "mean", update: { stepScale: "none" } } },
  GraphGPO: { rule: "graphGpo" },
  "GraphGPO without the graph": { rule: "graphGpo", cells: { advantage: { weight: 0 } } },
  "GiGPO, divided by deviations": { rule: "gigpo", cells: { scale: "group" } },
  TPO: { rule: "tpo" },
  HCAPO: { rule: "hcapo" },
  "A²TGPO": { rule: "a2tgpo" },
  "A²TGPO without gains": { rule: "a2tgpo", cells: { advantage: { weight: 0 }, gate: { spread: 0 } } },
  "A²TGPO, one width for all turns": { rule: "a2tgpo", cells: { gate: { spread: 0 } } },
  IGPO: { rule: "igpo" },
  CCPO: { rule: "ccpo" },
  "CCPO without its bonus": { rule: "ccpo", cells: { reward: { step: { weight: 0 } } } },
  CARL: { rule: "carl" },
  "CARL, all turns trained": { rule: "carl", cells: { advantage: { lone: "inherit" } } },
  "CARL from random turns": { rule: "carl", cells: { forks: { kind: "random", leaves: 8 } } },
} satisfies Readonly<Record<string, RuleArm>>);

/** An arm of `ruleArms`. */
export type RuleArmName = keyof typeof ruleArms;

/** A world that does not report which agent takes a turn. */
class Unmarked extends Wrapper {
  override get spec(): EnvSpec {
    const { agents: _agents, ...spec } = this.inner.spec;
    return spec;
  }

  protected override rewrap(inner: Env): Env {
    return new Unmarked(inner);
  }
}

/** Settings of an arm, with the batch of 8 groups of 8 where it has no other. */
export function ruleArm(name: RuleArmName): RuleArm & Required<Pick<RuleArm, "groups" | "groupSize">> {
  return { groups: 8, groupSize: 8, ...(ruleArms[name] as RuleArm) };
}

/** The rule of an arm, with Adam at a learning rate. */
export function ruleOfArm(name: RuleArmName, learningRate: number): Recipe {
  const { rule, cells } = ruleArm(name);
  const update = { ...cells?.update, optimizer: { kind: "adam", learningRate } };
  return recipe(rule, { ...cells, update } as RecipeOverrides);
}

/** The world of an arm. */
export function worldOfArm(world: RuleWorldName, name: RuleArmName): Env {
  const { id, options, team } = ruleWorlds[world] as RuleWorld;
  const made = make(id, options);
  const env = team ? inTurns(made, team) : made;
  return ruleArm(name).unmarked === true ? new Unmarked(env) : env;
}
