import { log } from "turnwise/internal/base/elementary/log";
import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/ledger";
import { exactly, gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { inBothHalves } from "../../shared/inBothHalves";
import type { StoredRecord } from "../../shared/storedTable";
import { addedOptimum, type BankArmName } from "./bank";
import { enumeratedEffects, enumeratedSeeds, type EnumeratedSystem } from "./design";
import { directivePull, nextStateJudges, type JudgesName, type NextStateArmName } from "./nextState";
import { WORDS } from "./nextStateWorld";
import { omissionOptimum, type OmissionArm } from "./omission";
import type { OmissionPay } from "./omissionWorld";
import type { EnumeratedRun } from "./run";
import { knownAfterGrowth, skillLengths, type SkillArmName } from "./skills";

type Column = "success" | "second";
/** Runs, or the rows of `datasets/measured/systems-enumerated.csv`. */
type Rows = readonly EnumeratedRun[] | readonly StoredRecord[];

interface Asked {
  readonly arm: string;
  readonly condition?: string;
  readonly column: Column;
}

type Sample = readonly { readonly seed: number; readonly value: number }[];

/** Weights of the saving whose optimum is computed, and priors of an added action. */
export const omissionWeights = Object.freeze([0.2, 0.5, 0.8] as const);
export const skillPriors = Object.freeze([0.01, 0.05, 0.25] as const);

const { score, units } = enumeratedEffects;

/** The values of a setting's runs by seed. */
const reader =
  (runs: Rows, system: EnumeratedSystem) =>
  ({ arm, condition = "-", column }: Asked): Sample =>
    (runs as readonly EnumeratedRun[])
      .filter((run) => run.system === system && String(run.condition) === condition && run.arm === arm)
      .map((run) => ({ seed: run.seed, value: run[column] }));

const effect = (a: Sample, b: Sample): Effect =>
  inBothHalves(a, b, (x, y) => gain(x, y), { confirmFrom: enumeratedSeeds.confirmFrom });
const constant = (like: Sample, value: number): Sample => like.map(({ seed }) => ({ seed, value }));
const text = (sample: Sample): string => mean(sample.map(({ value }) => value)).toFixed(3);

/** Decides the questions of each system that has runs, each a family. */
export function enumeratedClaims(runs: Rows): Claim[] {
  const deciders: Readonly<Record<EnumeratedSystem, (rows: Rows) => Claim[]>> = {
    omission: omissionClaims,
    skills: skillClaims,
    "next states": nextStateClaims,
    "memory bank": bankClaims,
  };
  const measured = new Set((runs as readonly EnumeratedRun[]).map(({ system }) => system));
  return (Object.keys(deciders) as EnumeratedSystem[])
    .filter((system) => measured.has(system))
    .flatMap((system) => deciders[system](runs));
}

/** The claims about leaving out thoughts and observations. */
export function omissionClaims(runs: Rows): Claim[] {
  const of = reader(runs, "omission");
  const right = (arm: OmissionArm): Sample => of({ arm, column: "success" });
  const read = (arm: OmissionArm): Sample => of({ arm, column: "second" });
  const optima = (pay: OmissionPay) =>
    omissionWeights.map((weight) => ({ weight, ...omissionOptimum({ pay, weight }) }));
  const gated = optima("answer and saving");
  const always = optima("answer and saving, not gated");
  const lost = (all: typeof gated) =>
    all.map(({ weight, success }) => ({ setting: { weight }, effect: exactly(success - 1) }));
  const lostText = (all: typeof gated): string =>
    all.map(({ weight, success }) => `${success.toFixed(3)} at weight ${weight}`).join(", ");
  const found = verdicts({
    right: {
      effect: effect(right("paid for saving too"), right("reads everything")),
      claims: "no loss",
      smallestEffectOfInterest: score,
    },
    less: {
      effect: effect(read("reads everything"), read("paid for saving too")),
      smallestEffectOfInterest: units,
    },
    rightUnpaid: {
      effect: effect(right("paid for saving too"), right("paid for the answer")),
      claims: "no loss",
      smallestEffectOfInterest: score,
    },
    lessUnpaid: {
      effect: effect(read("paid for the answer"), read("paid for saving too")),
      smallestEffectOfInterest: units,
    },
    gate: {
      effect: effect(right("paid for saving too"), right("paid for saving always")),
      smallestEffectOfInterest: score,
    },
    optimum: {
      conditions: lost(gated),
      claims: "no loss",
      smallestEffectOfInterest: score,
    },
    optimumAlways: {
      conditions: lost(always),
      claims: "no loss",
      smallestEffectOfInterest: score,
    },
  });
  const source = "Agent-Omit, 2602.04284 [P], in small";
  const both = (column: typeof right, a: OmissionArm, b: OmissionArm): string =>
    `${text(column(a))} against ${text(column(b))}`;
  return [
    {
      claim: "Paid for what it leaves out, an agent answers right as often as one that reads everything",
      source,
      measured: both(right, "paid for saving too", "reads everything"),
      verdict: found.right,
    },
    {
      claim: "It reads and writes less",
      source,
      measured: `units of 12: ${both(read, "paid for saving too", "reads everything")}`,
      verdict: found.less,
    },
    {
      claim: "It answers right as often as an agent that may leave out and is paid for the answer alone",
      source: "derived [D]",
      measured: both(right, "paid for saving too", "paid for the answer"),
      verdict: found.rightUnpaid,
    },
    {
      claim: "It reads and writes less than that one",
      source,
      measured: `units of 12: ${both(read, "paid for saving too", "paid for the answer")}; optimum ${gated[0]!.units.toFixed(3)}`,
      verdict: found.lessUnpaid,
    },
    {
      claim: "Paid for saving after right answers only, it is right more often than paid for saving always",
      source: "derived [D]",
      measured: both(right, "paid for saving too", "paid for saving always"),
      verdict: found.gate,
    },
    {
      claim: "Pay for saving after right answers leaves the optimum right",
      source: "derived [D]",
      measured: `success of the optimum: ${lostText(gated)}`,
      verdict: found.optimum,
    },
    {
      claim: "So does pay for saving always",
      source: "derived [D]",
      measured: `success of the optimum: ${lostText(always)}`,
      verdict: found.optimumAlways,
    },
  ];
}

/** The claims about actions that are added on the way. */
export function skillClaims(runs: Rows): Claim[] {
  const of = reader(runs, "skills");
  const solved = (arm: SkillArmName, more: number): Sample =>
    of({ arm, condition: String(more), column: "success" });
  const compared = (a: SkillArmName, b: SkillArmName) => ({
    conditions: skillLengths.map((more) => ({
      setting: { "presses around the skill": more },
      effect: effect(solved(a, more), solved(b, more)),
    })),
    smallestEffectOfInterest: score,
  });
  const shown = (a: SkillArmName, b: SkillArmName): string =>
    skillLengths
      .map((more) => `${more}: ${text(solved(a, more))} against ${text(solved(b, more))}`)
      .join("; ");
  const known = skillPriors.map((prior) => ({ prior, known: knownAfterGrowth(prior) }));
  const found = verdicts({
    helps: compared("skill, prior 1/4", "buttons alone"),
    rare: compared("skill, prior .01", "buttons alone"),
    prior: compared("skill, prior 1/4", "skill, prior .01"),
    useless: { ...compared("useless skill, prior 1/4", "buttons alone"), claims: "no loss" },
    known: {
      conditions: known.map(({ prior, known: after }) => ({
        setting: { prior },
        effect: exactly(after - 1),
      })),
      claims: "no loss",
      smallestEffectOfInterest: score,
    },
  });
  const source = "DynaSAUR, 2411.01747; MetaClaw, 2603.17187 [P], in small";
  return [
    {
      claim: "An agent that adds its commonest success to its actions ends with more tasks solved",
      source,
      measured: shown("skill, prior 1/4", "buttons alone"),
      verdict: found.helps,
    },
    {
      claim: "So it does if the new action begins with a probability of .01",
      source: "derived [D]",
      measured: shown("skill, prior .01", "buttons alone"),
      verdict: found.rare,
    },
    {
      claim: "A prior of 1/4 is better than one of .01",
      source: "derived [D]",
      measured: shown("skill, prior 1/4", "skill, prior .01"),
      verdict: found.prior,
    },
    {
      claim: "A useless action costs nothing at the end",
      source: "derived [D]",
      measured: shown("useless skill, prior 1/4", "buttons alone"),
      verdict: found.useless,
    },
    {
      claim: "Adding an action costs nothing of what was known, at once",
      source: "derived [D]",
      measured: `success of a perfect routine: ${known.map(({ prior, known: after }) => `${after.toFixed(3)} at prior ${prior}`).join(", ")}`,
      verdict: found.known,
    },
  ];
}

/** The claims about learning from each next state. */
export function nextStateClaims(runs: Rows): Claim[] {
  const of = reader(runs, "next states");
  const judges = Object.keys(nextStateJudges) as JudgesName[];
  const onTheWay = (arm: NextStateArmName, condition: JudgesName): Sample =>
    of({ arm, condition: arm === "outcome alone" ? "good" : condition, column: "second" });
  const compared = (a: NextStateArmName, b: NextStateArmName) => ({
    conditions: judges.map((name) => ({
      setting: { judges: name },
      effect: effect(onTheWay(a, name), onTheWay(b, name)),
    })),
    smallestEffectOfInterest: score,
  });
  const shown = (a: NextStateArmName, b: NextStateArmName): string =>
    judges.map((name) => `${name}: ${text(onTheWay(a, name))} against ${text(onTheWay(b, name))}`).join("; ");
  const pull = directivePull(new Float64Array(WORDS).fill(-log(WORDS)), { said: 0, directive: 1, other: 2 });
  const found = verdicts({
    votes: compared("votes", "outcome alone"),
    both: compared("votes and directives", "votes"),
    said: compared("directives at the said word", "votes"),
    all: compared("directives at all words", "directives at the said word"),
    pull: { effect: exactly(pull.said), smallestEffectOfInterest: score },
    pullAll: { effect: exactly(pull.all), smallestEffectOfInterest: score },
  });
  const source = "OpenClaw-RL, 2603.10165 [P], in small";
  return [
    {
      claim: "Votes on each next state teach faster than the outcome alone",
      source,
      measured: `mean success over the run, ${shown("votes", "outcome alone")}`,
      verdict: found.votes,
    },
    {
      claim: "Votes and directives together teach faster than votes",
      source,
      measured: shown("votes and directives", "votes"),
      verdict: found.both,
    },
    {
      claim: "Directives alone, distilled at the word that was said, teach faster than votes",
      source,
      measured: shown("directives at the said word", "votes"),
      verdict: found.said,
    },
    {
      claim: "Distilled at all words, directives teach faster than at the word that was said",
      source: `${source}, openclaw-opd`,
      measured: shown("directives at all words", "directives at the said word"),
      verdict: found.all,
    },
    {
      claim: "At the word that was said, a directive raises the word that it names more than others",
      source: "derived [D]",
      measured: `difference of the logits' gradients at a uniform policy: ${pull.said.toFixed(3)}`,
      verdict: found.pull,
    },
    {
      claim: "At all words, it does",
      source: "derived [D]",
      measured: `the same: ${pull.all.toFixed(3)}`,
      verdict: found.pullAll,
    },
  ];
}

/** The claims about a manager of memories. */
export function bankClaims(runs: Rows): Claim[] {
  const of = reader(runs, "memory bank");
  const right = (arm: BankArmName): Sample => of({ arm, column: "success" });
  const managed = right("all four, GRPO");
  const best = addedOptimum();
  const smallestEffectOfInterest = score;
  const found = verdicts({
    needed: { effect: exactly(1 - best), smallestEffectOfInterest },
    trained: { effect: effect(managed, right("adds everything")), smallestEffectOfInterest },
    beyond: { effect: effect(managed, constant(managed, best)), smallestEffectOfInterest },
    optimum: {
      effect: effect(managed, constant(managed, 1)),
      claims: "no loss",
      smallestEffectOfInterest,
    },
    ppo: {
      effect: effect(right("all four, PPO"), managed),
      claims: "same",
      smallestEffectOfInterest,
    },
  });
  const source = "Memory-R1, 2508.19828 [P], in small";
  return [
    {
      claim: "A memory to which everything is added loses facts that four operations keep",
      source: "derived [D]",
      measured: `success at the optimum: ${best.toFixed(3)} against 1.000`,
      verdict: found.needed,
    },
    {
      claim: "Trained by the answer alone, a manager of four operations beats adding everything",
      source,
      measured: `${text(managed)} against ${text(right("adds everything"))}`,
      verdict: found.trained,
    },
    {
      claim: "It beats the best reader of a memory to which everything is added",
      source: "derived [D]",
      measured: `${text(managed)} against ${best.toFixed(3)}`,
      verdict: found.beyond,
    },
    {
      claim: "It comes to the optimum",
      source: "derived [D]",
      measured: `${text(managed)}, optimum 1`,
      verdict: found.optimum,
    },
    {
      claim: "PPO and GRPO train it equally well",
      source,
      measured: `${text(right("all four, PPO"))} against ${text(managed)}`,
      verdict: found.ppo,
    },
  ];
}
