import type { Claim } from "turnwise/internal/plot/index";
import { toldBy } from "../shared/toldBy";
import { gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import type { GrpoArm } from "./arms";
import { smallestEffectOfInterest } from "./effects";
import type { GrpoRun } from "./runs";

const source = "this lesson";

/** The claims of the lesson that writes GRPO by hand. Their comparisons are one family. */
export function grpoClaims(runs: readonly GrpoRun[]): Claim[] {
  const values = (arm: GrpoArm, at: "at40" | "at100"): number[] =>
    runs.filter((run) => run.arm === arm).map((run) => run[at]);
  const ends = (a: GrpoArm, b: GrpoArm): Effect => gain(values(a, "at100"), values(b, "at100"));
  const halfway = (a: GrpoArm, b: GrpoArm): Effect => gain(values(a, "at40"), values(b, "at40"));

  const effects = {
    bonus: ends("reinforce", "bonus 3"),
    // Both arms of a seed roll the same dice.
    baseline: gain(values("baseline, bonus 3", "at100"), values("baseline", "at100"), { paired: true }),
    spread: halfway("group / spread", "group"),
    step: halfway("group / spread", "group, twice the step"),
    ratio: ends("16 passes, ratio", "16 passes"),
    clip: ends("16 passes, ratio and clip", "16 passes, ratio"),
  };
  const all = verdicts({
    bonus: { effect: effects.bonus, smallestEffectOfInterest },
    baseline: { effect: effects.baseline, smallestEffectOfInterest, claims: "same" },
    spread: { effect: effects.spread, smallestEffectOfInterest },
    step: { effect: effects.step, smallestEffectOfInterest },
    ratio: { effect: effects.ratio, smallestEffectOfInterest },
    clip: { effect: effects.clip, smallestEffectOfInterest },
  });
  const told = toldBy(source, effects, all);
  return [
    told("bonus", "A bonus for everybody harms REINFORCE", "return lost by a bonus of 3:"),
    told("baseline", "With a baseline, the bonus changes nothing", "return gained by a bonus of 3:"),
    told("spread", "Dividing by the group's spread speeds learning up", "return at update 40, higher by"),
    told(
      "step",
      "Dividing by the spread is better than taking steps twice as long",
      "return at update 40, higher by",
    ),
    told("ratio", "The ratio makes it safe to use a batch sixteen times", "return gained by the ratio:"),
    told("clip", "The clip makes it safe", "return gained by the clip:"),
  ];
}
