import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Claim } from "turnwise/internal/plot/index";
import { across, effectText } from "turnwise/internal/verdict/effectText";
import type { RewardCredit } from "../shared/credit/rewardRecipe";
import type { StoredRecord } from "../shared/storedTable";
import { gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { shown } from "turnwise/internal/verdict/words";
import { agenticPomdpEffects as smallest } from "./effects";
import { skills, type SkillName } from "./skillRun";

/** Result of one run of a skill. */
export interface SkillOutcome {
  readonly score: number;
  /** Share of malformed turns in the first tenth of the updates and in the last. */
  readonly malformed: readonly number[];
}

const paired = (a: readonly number[], b: readonly number[]): Effect => gain(a, b, { paired: true });
const text = (values: readonly number[]): string => shown(bootstrapInterval(values));

/** Claims about the value of each faculty, measured by taking it away. */
export function skillClaims({
  skillRuns,
  calculator,
}: {
  readonly skillRuns: ReadonlyMap<string, readonly SkillOutcome[]>;
  readonly calculator: readonly StoredRecord[];
}): Claim[] {
  const runsOf = (skill: SkillName, arm: number): readonly SkillOutcome[] =>
    skillRuns.get(`${skill}|${Object.keys(skills[skill].arms)[arm]!}`)!;
  const scores = (skill: SkillName, arm: number): number[] => runsOf(skill, arm).map(({ score }) => score);
  const effect = (skill: SkillName): Effect => paired(scores(skill, 0), scores(skill, 1));
  const outcome = (credit: RewardCredit): number[] =>
    calculator.filter((row) => row["credit"] === credit).map((row) => Number(row["score"]));
  const seeds = scores("tool: LookUp", 0).length;
  const malformed = [0, 1].map((arm) =>
    [0, 1]
      .map((end) =>
        bootstrapInterval(runsOf("action: LookUp", arm).map((run) => run.malformed[end]!)).mean.toFixed(2),
      )
      .join(" to "),
  );
  const step = {
    LookUp: paired(scores("tool: LookUp", 2), scores("tool: LookUp", 0)),
    Calculator: paired(outcome("rewardToGo"), outcome("trajectory")),
  };
  const memory = { KeyDoor: effect("memory: KeyDoor"), TMaze: effect("memory: TMaze") };
  const others = {
    tool: effect("tool: LookUp"),
    planning: effect("planning: now or later"),
    action: effect("action: LookUp"),
  };
  const smallestEffectOfInterest = smallest.score;
  const decided = verdicts({
    step: { conditions: across("world", step), smallestEffectOfInterest },
    memory: { conditions: across("world", memory), smallestEffectOfInterest },
    others: { conditions: across("skill", others), smallestEffectOfInterest },
  });
  return [
    {
      claim: "Without step credit no tool use is learned",
      source: "note, 7.3 [N]",
      measured:
        `LookUp, whole return, ${seeds} seeds: score ${text(scores("tool: LookUp", 0))}; Calculator, ` +
        `${outcome("trajectory").length} seeds: whole return ${text(outcome("trajectory"))}; ` +
        `step credit - whole return: LookUp ${effectText(step.LookUp)}, Calculator ${effectText(step.Calculator)}`,
      verdict: decided.step,
    },
    {
      claim: "Memory decides",
      source: "2604.27859, section 2.1 [N]",
      measured:
        `KeyDoor with - without ${effectText(memory.KeyDoor)}; TMaze ${effectText(memory.TMaze)}, ` +
        `without ${text(scores("memory: TMaze", 1))}`,
      verdict: decided.memory,
    },
    {
      claim: "So do tools, planning and the form of actions",
      source: "2604.27859, section 2.1 [N]",
      measured:
        `with - without: tool ${effectText(others.tool)}, planning ${effectText(others.planning)}, ` +
        `action ${effectText(others.action)}; ` +
        `malformed turns, first to last tenth: ${malformed.join(", unknown syntax ")}`,
      verdict: decided.others,
    },
  ];
}
