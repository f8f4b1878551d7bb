import { eventInWords, eventsIn, lintInWords, lintOf, precedence, timing, type CauseKind } from "./contract";
import { isBypassed } from "./bypass";
import type { MetricName } from "turnwise/internal/base/glossary";
import { correct as corrected } from "../../lint/findings/corrections";
import type { Change } from "../../lint/contract";
import type { View } from "../view";

/** Metrics of the distance between engine and trainer. */
export const gaps: readonly MetricName[] = [
  "mismatch/approxKl",
  "mismatch/kl",
  "mismatch/logProbGap",
  "mismatch/probGap",
  "mismatch/chiSquaredTrajectory",
];

const ENGINE = "actor_rollout_ref.rollout.name";
const CASCADE = "actor_rollout_ref.rollout.engine_kwargs.vllm.disable_cascade_attn";

const correct = ({ subject }: View): readonly Change[] => (subject === undefined ? [] : corrected(subject));

/** Advice besides the change: vLLM's cascade attention, which long shared prompts turn on, is inexact on other GPUs than Hopper. */
function adviceOf({ subject }: View, own: string | undefined): { readonly advice?: string } {
  if (own !== undefined) return { advice: own };
  if (subject?.trainer !== "verl" || !subject.hasBaseNames || subject.parts.given.text(ENGINE) !== "vllm")
    return {};
  return {
    advice: `on other GPUs than Hopper, such as A100, L20 or B200, turn vLLM's cascade attention off: +${CASCADE}=True (vllm-project/vllm#22103)`,
  };
}

export const enginesApart: CauseKind = {
  title: "the engine that samples has drifted from the trainer",
  section: "engines-apart",
  lesson: "05-off-policy-stability",
  basis:
    "threads: the cause in 6 of 45; hardly any healthy public log has its metrics (55, more if it came first)",
  look: (view) => {
    const apart = eventsIn(view, isBypassed(view) ? [...gaps, "policy/approxKl"] : gaps, true);
    const [first] = apart;
    const dropped = lintOf(view, "liger-drops-correction");
    if (first === undefined && (dropped.length === 0 || view.run?.verdict.success.kind !== "fell"))
      return undefined;
    const config = lintOf(
      view,
      "engine-without-correction",
      "quantized-rollouts",
      "truncated-sampling",
      "stale-without-correction",
    );
    const change = config.find((one) => one.change.length > 0)?.change ?? correct(view);
    return {
      evidence: [...dropped.map(lintInWords), ...apart.map(eventInWords), ...config.map(lintInWords)],
      weight:
        (first ? 55 + timing(view, first) + precedence(view, first) : 48) +
        5 * (config.length + dropped.length),
      change,
      ...adviceOf(view, dropped[0]?.advice),
    };
  },
};
