import { short } from "turnwise/internal/base/curve";
import { hasStayedFlat } from "../../report/learned";
import { eventInWords, eventsIn, lintInWords, lintOf, numberIn, type CauseKind } from "./contract";
import type { View } from "../view";

/** Weight of a gap that the first updates open. */
export const OTHER_WEIGHTS = 70;
/** A gap that opens within so many steps is no drift. */
const JUMP = 2;
/** So many of the first steps may be without a gap that the first updates open; such a gap is wide, and stays. */
const FIRST = 4;
const WIDE = 0.1;
const STAYS = 5;

/** A gap that is small as long as the weights are the first ones, and wide from then on. */
function opensAtStart({ run }: View): string[] {
  if (run === undefined) return [];
  return (["mismatch/logProbGap", "mismatch/probGap"] as const).flatMap((metric) => {
    const points = run.records.flatMap(({ update, metrics }) => {
      const value = metrics[metric];
      return value !== undefined && Number.isFinite(value) ? [{ update, value: Math.abs(value) }] : [];
    });
    for (let k = 1; k <= FIRST && points.length >= k + STAYS; k++) {
      const before = Math.max(...points.slice(0, k).map(({ value }) => value));
      const after = Math.min(...points.slice(k, k + STAYS).map(({ value }) => value));
      if (after < WIDE || after < 4 * before) continue;
      return [
        `the gap of engine and trainer is at most ${short(before)} up to step ${points[k - 1]!.update} and at least ${short(after)} from step ${points[k]!.update} on: the first updates opened it, as they do where the engine keeps the first weights`,
      ];
    }
    return [];
  });
}

/** A learning rate that moves nothing. */
const ZERO = 1e-12;

/** Why the engine may never have had the weights: not one rollout earned more than the least, from the first step on, with an adapter. */
function neverHad(view: View): string[] {
  const { run, subject } = view;
  const rank = numberIn(view, "loraRank") ?? 0;
  const reward = run?.constants.get("reward/mean") ?? run?.constants.get("success/mean");
  if (run === undefined || rank === 0 || reward === undefined || reward > 0) return [];
  if (run.constants.get("policy/gradNorm") !== 0) return [];
  return [
    `every reward is ${reward} from the first step on, and the policy is an adapter (${subject!.shown("loraRank")}): rollouts look like this, too, if the engine has lost the base weights or got half of them`,
  ];
}

export const weightsNotLoaded: CauseKind = {
  title: "the engine samples with other weights than the trainer has",
  section: "engines-apart",
  lesson: "05-off-policy-stability",
  basis:
    "arithmetic where the learning rate is 0 (78); threads: 1 of 45 for a gap that opens at once (56), 1 of 77 for a gap that the first updates open (70, and 10 more for a setting); 2 of 57 each for an adapter that is not sent where the gap grows or nothing is learned (66; 40 for the setting alone) and for rewards that are at their least throughout (46)",
  look: (view) => {
    const { run } = view;
    const opens = opensAtStart(view);
    // Engines that sleep are common, and most wake as they should.
    const config = lintOf(
      view,
      "adapter-not-sent",
      ...(opens.length > 0 ? (["sleeping-engine"] as const) : []),
    );
    const isFlat = run !== undefined && hasStayedFlat(run.records);
    if (run === undefined && config.length === 0) return undefined;
    const fell = run?.verdict.success.kind === "fell";
    const rate = numberIn(view, "learningRate");
    const grown = eventsIn(
      view,
      ["mismatch/logProbGap", "mismatch/probGap", "mismatch/approxKl", "mismatch/kl"],
      true,
    );
    const jumps = grown.filter(
      ({ metric, from, to, before, extreme }) =>
        metric !== "mismatch/kl" && to - from <= JUMP && extreme > 4 * before,
    );
    const isStill = fell && rate !== undefined && Math.abs(rate) < ZERO;
    const never = neverHad(view);
    if (!isStill && opens.length + jumps.length + never.length + config.length === 0) return undefined;
    // The distance from the first policy grows as that from a policy some updates ago does not.
    const left = config.length > 0 ? grown.filter((one) => !jumps.includes(one)) : [];
    return {
      evidence: [
        ...(isStill
          ? [
              "success fell although the learning rate is 0: the policy is what it was, and so it is the engine's copy that has changed",
            ]
          : []),
        ...opens,
        ...config.map(lintInWords),
        ...(isFlat && config.length > 0
          ? ["success is where it began, as it is where rollouts are those of the first policy"]
          : []),
        ...left.map(eventInWords),
        ...jumps.map((jump) => `${eventInWords(jump)}: a drift takes longer`),
        ...never,
      ],
      weight: isStill
        ? 78
        : opens.length > 0
          ? OTHER_WEIGHTS + 10 * config.length
          : left.length > 0 || (isFlat && config.length > 0)
            ? 66
            : jumps.length > 0
              ? 56
              : never.length > 0
                ? 46
                : 40,
      change: [],
      advice:
        config[0]?.advice ??
        "compare some weights of engine and trainer after an update: those that are copied while they are gathered, dropped when the engine sleeps, or of an adapter that is not merged differ; read some rollouts of the first step, and sample once with the trainer itself, and once with vLLM's CUDA graphs off (enforce_eager), which some releases replay with the weights of an earlier step",
    };
  },
};
