import type { Claim } from "turnwise/internal/plot/ledger";
import { exactly } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { enumeratedEffects } from "./design";
import { effect, reader, text, type Rows, type Sample } from "./rows";
import { knownAfterGrowth, skillLengths, type SkillArmName } from "./skills";

/** Probabilities of an added action whose price is computed. */
const skillPriors = [0.01, 0.05, 0.25] as const;

const { score } = enumeratedEffects;

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
