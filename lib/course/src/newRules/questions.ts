import { ruleArms, type RuleArmName, type RuleOutcome, type RuleWorldName } from "./design";
import type { StudyQuestion } from "./study";

/** A claim, as a comparison of two arms. */
export type RuleQuestion = StudyQuestion<RuleWorldName, RuleArmName, RuleOutcome>;

const both = ["lookUp", "tMaze"] as const;
const stale = ["staleLookUp", "staleTMaze"] as const;

/** The questions, named before the first run on a seed of the study. */
export const ruleQuestions: readonly RuleQuestion[] = Object.freeze([
  {
    rule: "reMax",
    claim:
      "The greedy episode pays for itself: ReMax learns more than REINFORCE without a baseline, which plays as many episodes",
    source: "ReMax, 2310.10505 [P]",
    own: "ReMax",
    other: "REINFORCE, no baseline",
    outcome: "learned",
    worlds: both,
  },
  {
    rule: "reMax",
    claim: "ReMax needs no critic: it loses nothing against PPO, which plays as many episodes",
    source: "ReMax, 2310.10505 [P]",
    own: "ReMax",
    other: "PPO, one episode a start",
    outcome: "learned",
    claims: "no loss",
    worlds: both,
  },
  {
    rule: "reinforcePlusPlusBaseline",
    claim: "Dividing by the deviation of the whole batch learns more than dividing by that of the group",
    source: "REINFORCE++, 2501.03262 [P]",
    own: "REINFORCE++-baseline",
    other: "the same, divided by the group's deviation",
    outcome: "learned",
    worlds: both,
  },
  {
    rule: "gpg",
    claim: "GPG, without ratio, clip or deviation, learns more than GRPO from as many samples",
    source: "GPG, 2504.02546 [P]",
    own: "GPG",
    other: "GRPO",
    outcome: "learned",
    worlds: both,
  },
  {
    rule: "gpg",
    claim: "Its factor alpha, which makes up for groups without a spread, is worth something",
    source: "GPG, 2504.02546 [P]",
    own: "GPG",
    other: "GPG without alpha",
    outcome: "learned",
    worlds: both,
  },
  {
    rule: "grpoPassK",
    claim: "Crediting the best of a group raises pass@8 above what crediting the mean return reaches",
    source: "2503.19595 [P]",
    own: "GRPO for pass@8",
    other: "the same with the mean return",
    outcome: "passAt8",
    worlds: both,
  },
  {
    rule: "grpoPassK",
    claim: "It costs nothing in a single try",
    source: "derived [D]: the paper says that the two aims differ",
    own: "GRPO for pass@8",
    other: "the same with the mean return",
    outcome: "final",
    claims: "no loss",
    worlds: both,
  },
  {
    rule: "rae",
    claim: "A running baseline learns more than none",
    source: "SPIRAL, 2506.24119 [P]: without it, training of two roles breaks down",
    own: "RAE",
    other: "RAE without a baseline",
    outcome: "learned",
    worlds: ["handOver"],
  },
  {
    rule: "rae",
    claim: "A baseline for each agent learns more than one for all",
    source: "SPIRAL, 2506.24119 [P], for games in which the roles are paid differently",
    own: "RAE",
    other: "RAE, one baseline for all agents",
    outcome: "learned",
    worlds: ["handOver"],
  },
  {
    rule: "hierarchicalGrpo",
    claim: "Comparing attempts with those of the same proposal learns more than comparing all of a start",
    source: "derived [D] from prime-rl's documentation at 559b447; no paper",
    own: "hierarchical GRPO",
    other: "the same forks, one group",
    outcome: "learned",
    worlds: both,
  },
  {
    rule: "hierarchicalGrpo",
    claim: "It learns more than as many trajectories that do not share their first turn",
    source: "derived [D]; no paper",
    own: "hierarchical GRPO",
    other: "the same without forks",
    outcome: "learned",
    worlds: both,
  },
  {
    rule: "agentOpsd",
    claim: "Weighing the turns by how they move a belief in success learns more than weighing all alike",
    source: "AgentOPSD, 2608.05987 [P]",
    own: "AgentOPSD",
    other: "AgentOPSD, all turns alike",
    outcome: "learned",
    worlds: both,
  },
  {
    rule: "turnPpo",
    claim: "PPO over turns, with the paper's discounts .99 and .9, learns more than PPO over tokens",
    source: "Turn-PPO, 2512.17008 [P]",
    own: "Turn-PPO",
    other: "PPO",
    outcome: "learned",
    worlds: both,
  },
  {
    rule: "c3",
    claim:
      "Crediting each role against alternatives after the same transcript learns more than comparing whole trajectories",
    source: "C3, 2603.06859 [P]",
    own: "C3",
    other: "C3's loss, leave-one-out without forks",
    outcome: "learned",
    worlds: ["fourDoors"],
  },
  {
    rule: "c3",
    claim: "It does so from as many environment steps, which buy it thirteen groups for eight",
    source: "C3, 2603.06859 [P]: at matched budgets",
    own: "C3, thirteen groups",
    other: "C3's loss, leave-one-out without forks",
    outcome: "learned",
    worlds: ["sixDoors"],
  },
  {
    rule: "c3",
    claim: "It is the comparison among siblings that does it, not the forks",
    source: "derived [D]",
    own: "C3",
    other: "C3's forks, leave-one-out over all",
    outcome: "learned",
    worlds: ["fourDoors"],
  },
  {
    rule: "vcpo",
    claim: "On stale batches, its baseline and its factor together learn more than its loss alone",
    source: "VCPO, 2602.17616 [P]: stable where truncated ratios of sequences break down",
    own: "VCPO",
    other: "VCPO's loss alone",
    outcome: "learned",
    worlds: stale,
  },
  {
    rule: "vcpo",
    claim: "They also end higher, so that the loss alone is less stable",
    source: "VCPO, 2602.17616 [P]",
    own: "VCPO",
    other: "VCPO's loss alone",
    outcome: "final",
    worlds: stale,
  },
  {
    rule: "vcpo",
    claim: "On stale batches, VCPO learns more than GRPO from as many samples",
    source: "VCPO, 2602.17616 [P]",
    own: "VCPO",
    other: "GRPO",
    outcome: "learned",
    worlds: stale,
  },
  {
    rule: "vcpo",
    claim: "The factor on the learning rate is worth something on top of the baseline",
    source: "VCPO, 2602.17616 [P]",
    own: "VCPO",
    other: "VCPO with the full learning rate",
    outcome: "learned",
    worlds: stale,
  },
  {
    rule: "vcpo",
    claim: "The baseline is worth something on top of the factor",
    source: "VCPO, 2602.17616 [P]",
    own: "VCPO",
    other: "VCPO with the group's mean",
    outcome: "learned",
    worlds: stale,
  },
]);

/** The arms that the questions compare in a world, in the order of `ruleArms`. */
export function armsIn(world: RuleWorldName): readonly RuleArmName[] {
  const asked = ruleQuestions.filter(({ worlds }) => worlds.includes(world));
  return (Object.keys(ruleArms) as RuleArmName[]).filter((name) =>
    asked.some(({ own, other }) => own === name || other === name),
  );
}
