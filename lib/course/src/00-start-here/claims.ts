import type { Claim } from "turnwise/internal/plot/index";
import { mean } from "turnwise/internal/base/statistics";
import { make } from "turnwise/internal/env/index";
import { enumerateReturn, optimalReturn } from "turnwise/internal/exact/index";
import { createPolicy } from "turnwise/internal/policy/index";
import { toldBy } from "../shared/toldBy";
import { above, exactly, gain, share } from "turnwise/internal/verdict/effect";
import { verdict, verdicts } from "turnwise/internal/verdict/verdict";
import { startHereArms, type StartHereArm } from "./arms";
import { smallestEffectOfInterest } from "./effects";
import type { StartHereRun } from "./runs";

const source = "this lesson";

/** The claims of the first lesson. Those that were sampled are one family. */
export function startHereClaims(runs: readonly StartHereRun[]): Claim[] {
  const values = (arm: StartHereArm, at: "at40" | "at100"): number[] =>
    runs.filter((run) => run.arm === arm).map((run) => run[at]);
  const world = make("LookUp-v0");
  const optimum = optimalReturn(world).J;
  const newcomer = createPolicy(world.spec, startHereArms["as in the lesson"].policy);
  const untrained = enumerateReturn(world, newcomer).J;
  const toLearn = exactly(optimum - untrained);

  const end = values("as in the lesson", "at100");
  const middle = values("as in the lesson", "at40");
  const unskilled = values("no syntax", "at100");
  const late = unskilled.filter((end) => end < 0.9 * optimum);
  const effects = {
    end: above(end, 0.95 * optimum),
    syntax: gain(middle, values("no syntax", "at40")),
    late: share(late.length, unskilled.length),
  };
  const all = verdicts({
    end: { effect: effects.end, smallestEffectOfInterest: 0 },
    syntax: { effect: effects.syntax, smallestEffectOfInterest },
    late: { effect: effects.late, smallestEffectOfInterest },
  });
  const told = toldBy(source, effects, all);
  return [
    {
      claim: "The untrained agent is far from the best one",
      source,
      measured: `return ${untrained.toFixed(3)} against ${optimum.toFixed(3)}, exactly`,
      verdict: verdict({ effect: toLearn, smallestEffectOfInterest }),
    },
    told(
      "end",
      "After 100 updates of GRPO it gets 95% of the best return",
      `return ${mean(end).toFixed(3)}, above 95% by`,
    ),
    told(
      "syntax",
      "An agent that knows how a call is written learns sooner",
      "return at update 40, higher by",
    ),
    told(
      "late",
      "Without that knowledge, some agents have not learned the task after 100 updates",
      "share that ends below 90% of the best return:",
    ),
  ];
}
