import { make } from "turnwise/internal/env/index";
import type { Claim } from "turnwise/internal/plot/ledger";
import { effectText } from "turnwise/internal/verdict/effectText";
import { measured } from "../shared/measured";
import { retold } from "../shared/retold";
import { storedTable, type StoredRecord } from "../shared/storedTable";
import { gain, type Effect } from "turnwise/internal/verdict/effect";
import { creditQualityClaims } from "./creditClaims";
import { fixedPlan, plannedWorlds } from "./fixedPlan";
import { fixedPlanClaim } from "./fixedPlanClaim";
import { maskClaims } from "./maskClaims";
import { skillClaims, type SkillOutcome } from "./skillClaims";
import { skills, type SkillName } from "./skillRun";
import { storedSkills } from "./storedSkills";
import { teamClaims } from "./teamClaims";

/** The ledger of the lesson on agentic POMDPs. */
export function agenticPomdpLesson(): Claim[] {
  const table = (name: string): StoredRecord[] => storedTable(measured(name));
  const quality = table("credit");
  const handOver = table("hand-over");
  const skillRuns = storedSkills(measured("skills"));
  const calculator = table("reward-calculator").filter((row) => row["reward"] === "outcome");
  const rows = [
    fixedPlanClaim(plannedWorlds.map((world) => fixedPlan(make(world)))),
    ...skillClaims({ skillRuns, calculator }),
    ...creditQualityClaims(quality),
    ...maskClaims(table("retrieved")),
    ...teamClaims([...handOver, ...table("subgoals")], table("team-credit")),
  ];
  return retold(rows, [
    { of: "A fixed plan gets less than an agent that looks", source: "this lesson" },
    {
      of: "Memory decides",
      claim: "An agent without a memory of its own fails",
      source: "agentic POMDP, arXiv 2604.27859",
      measured: `score lost: KeyDoor ${effectText(lost(skillRuns, "memory: KeyDoor"))}, TMaze ${effectText(lost(skillRuns, "memory: TMaze"))}`,
    },
    {
      of: "Credit for the whole trajectory points the wrong way",
      claim: "Credit for the whole return points the wrong way",
      source: "often said",
      measured: `cosine lost: as it is ${bent(quality, "Dr.GRPO: whole return")}, divided by the group's std ${bent(quality, "GRPO, DAPO: whole return, group std")}`,
    },
    {
      of: "Step-level credit with a critic is better",
      claim: "A critic that credits single turns makes one batch point straighter",
      measured: `cosine gained: perfect critic ${straighter(quality, "perfect critic")}, 20 updates behind ${straighter(quality, "critic 20 updates behind")}`,
    },
    {
      of: "Without the mask training collapses at once",
      claim: "Without the mask on retrieved tokens, training collapses",
      source: "often said",
      measured: `success gained since the start, pages of eight words: ${risen(table("retrieved"))}`,
    },
    {
      of: "Two agents learn better with a baseline each than with one over all turns",
      claim: "Two agents learn better with a baseline each",
      source: "Dr. MAS, arXiv 2602.08847",
      measured: `score at the end, 8 tries, Adam .1, against one baseline: ${each(handOver)}`,
    },
  ]);
}

const paired = (a: readonly number[], b: readonly number[]): Effect => gain(a, b, { paired: true });

function column(
  rows: readonly StoredRecord[],
  where: Readonly<Record<string, string | number>>,
  name: string,
): number[] {
  return rows
    .filter((row) => Object.entries(where).every(([key, value]) => row[key] === value))
    .map((row) => Number(row[name]));
}

/** Loss of a skill's world without the faculty. */
function lost(runs: ReadonlyMap<string, readonly SkillOutcome[]>, skill: SkillName): Effect {
  const [own, without] = Object.keys(skills[skill].arms).map((arm) =>
    runs.get(`${skill}|${arm}`)!.map(({ score }) => score),
  );
  return paired(own!, without!);
}

/** Angle between a rule's mean gradient and the direction of an unbiased one. */
function bent(quality: readonly StoredRecord[], rule: string): string {
  const unbiased = column(quality, { rule: "StepPO, lambda 1, perfect critic" }, "direction");
  return effectText(paired(unbiased, column(quality, { rule }, "direction")));
}

function straighter(quality: readonly StoredRecord[], critic: string): string {
  const own = column(quality, { rule: `StepPO, lambda 0, ${critic}` }, "oneBatch");
  return effectText(paired(own, column(quality, { rule: "Dr.GRPO: whole return" }, "oneBatch")));
}

function risen(retrieved: readonly StoredRecord[]): string {
  const of = (name: string): number[] => column(retrieved, { words: 8, retrieved: "trained" }, name);
  return effectText(paired(of("success"), of("before")));
}

function each(handOver: readonly StoredRecord[]): string {
  const of = (arm: string): number[] =>
    column(handOver, { world: "hand over, 8 tries", learningRate: 0.1, arm }, "final");
  return effectText(paired(of("a baseline for each agent"), of("one baseline over all turns")));
}
