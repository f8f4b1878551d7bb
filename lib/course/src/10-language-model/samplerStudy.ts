import { mean } from "turnwise/internal/base/statistics";
import { gain, type SeedValue } from "turnwise/internal/verdict/effect";
import { effectText } from "turnwise/internal/verdict/effectText";
import { verdicts } from "turnwise/internal/verdict/verdict";
import type { Claim } from "turnwise/internal/plot/ledger";
import { inBothHalves } from "../shared/inBothHalves";
import { learned } from "../shared/languageRuns/runsOf";
import { samplerTitle, type SamplerJob, type SamplerRun } from "./samplerRun";

/**
 * The study of a rounded sampler and a clip, committed before its first run.
 *
 * Seeds 0 to 9 raised the question and answer nothing here. Of the 40 others, seeds below `confirmFrom` find and the rest confirm: an
 * effect must be there in all seeds at Holm's level, and in either half at 95%.
 */
export const samplerStudy = Object.freeze({
  seeds: Object.freeze({ from: 20, confirmFrom: 40, to: 60 }),
  /** A gain or a loss of success below this would change no training run. */
  smallest: 0.1,
  arms: Object.freeze({
    exact: { bits: 24, remedy: "none" },
    /** Described only: no claim is about it. */
    fourBits: { bits: 4, remedy: "none" },
    clipped: { bits: 3, remedy: "none" },
    open: { bits: 3, remedy: "open" },
    recomputed: { bits: 3, remedy: "recomputed" },
  } satisfies Record<string, Pick<SamplerJob, "bits" | "remedy">>),
});

/** An arm of the study. */
export type SamplerArm = keyof typeof samplerStudy.arms;

/** The names of all arms, in their order. */
export const samplerArms = Object.keys(samplerStudy.arms) as SamplerArm[];

/** The runs of the study, without those that raised its question. */
export function studyRuns(runs: readonly SamplerRun[], arm: SamplerArm): readonly SamplerRun[] {
  const { bits, remedy } = samplerStudy.arms[arm];
  const { from, to } = samplerStudy.seeds;
  return runs.filter(
    (run) => run.bits === bits && run.remedy === remedy && run.seed >= from && run.seed < to,
  );
}

/** One family of five comparisons: the clip stops the learning, either change brings it back, and neither falls short of exact weights. */
export function samplerClaims(
  runs: readonly SamplerRun[],
): Readonly<Record<"rounding" | "cause" | "rest", Claim>> {
  const over = (arm: SamplerArm, other: SamplerArm) => {
    const [a, b] = [arm, other].map((name) =>
      studyRuns(runs, name).map(({ seed, final }): SeedValue => ({ seed, value: final })),
    ) as [SeedValue[], SeedValue[]];
    return inBothHalves(a, b, gain, { confirmFrom: samplerStudy.seeds.confirmFrom });
  };
  const remedies = ["open", "recomputed"] as const;
  const conditions = (other: SamplerArm) =>
    remedies.map((remedy) => ({ setting: { remedy }, effect: over(remedy, other) }));
  const asked = {
    stops: over("exact", "clipped"),
    gives: conditions("clipped"),
    costs: conditions("exact"),
  };
  const terms = { smallestEffectOfInterest: samplerStudy.smallest };
  const decided = verdicts({
    stops: { effect: asked.stops, ...terms },
    gives: { conditions: asked.gives, ...terms },
    costs: { conditions: asked.costs, claims: "no loss", ...terms },
  });
  const [open, recomputed] = asked.gives;
  const [openLeft, recomputedLeft] = asked.costs;
  const source = "this lesson";
  const seeds = `${samplerStudy.seeds.to - samplerStudy.seeds.from} seeds`;
  return {
    rounding: {
      claim: "A sampler of three bits keeps GRPO from learning the tool",
      source,
      measured: `success lost to rounding, ${seeds}: ${effectText(asked.stops, 2)}`,
      verdict: decided.stops,
    },
    cause: {
      claim: "The clip causes it: without its bounds, or with old log-probs of the trainer, the model learns",
      source,
      measured: `success gained, three bits: clip wide open ${effectText(open!.effect, 2)}, old log-probs recomputed ${effectText(recomputed!.effect, 2)}`,
      verdict: decided.gives,
    },
    rest: {
      claim: "Nothing is then lost to the rounding",
      source,
      measured: `success less that without rounding: clip wide open ${effectText(openLeft!.effect, 2)}, old log-probs recomputed ${effectText(recomputedLeft!.effect, 2)}`,
      verdict: decided.costs,
    },
  };
}

/** A row of a table, which no interface is. */
type MismatchRow = Readonly<Record<"training" | "learned", string>> &
  Readonly<Record<"outside at first" | "outside on the way" | "least" | "largest", number>>;

/** Models of each arm that have learned the tool, and the disagreement of sampler and trainer before the first update and during training. */
export function mismatchInTraining(runs: readonly SamplerRun[]): MismatchRow[] {
  return samplerArms.map((arm) => {
    const own = studyRuns(runs, arm);
    return {
      training: samplerTitle(samplerStudy.arms[arm]),
      learned: `${own.filter(learned).length} of ${own.length}`,
      "outside at first": mean(own.map((run) => run.outsideAtStart)),
      "outside on the way": mean(own.map(({ outside }) => outside)),
      least: Math.min(...own.map(({ least }) => least)),
      largest: Math.max(...own.map(({ largest }) => largest)),
    };
  });
}
