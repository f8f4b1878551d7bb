import { clear, found, inapplicable, type Finding } from "../contract";

const model = "actor_rollout_ref.model";

export const adapterNotSent: Finding = {
  title: "An adapter may never reach the engine that samples",
  severity: "warning",
  confidence: "possible",
  why: "Where trainer and engine are separate, verl up to 0.10 sends the engine the frozen base weights and no adapter, unless the adapter is merged: rollouts stay those of the first policy, and what looks like staleness is the distance from it.",
  source: "volcengine/verl#7495, volcengine/verl#3516",
  lesson: "05-off-policy-stability",
  check: (s) => {
    if (s.trainer !== "verl" || !s.hasBaseNames) return inapplicable(`${s.title} sends weights otherwise`);
    if (s.number("loraRank") === 0) return inapplicable("there is no adapter");
    const { given } = s.parts;
    const hybrid = ["actor_rollout_ref.hybrid_engine", "hybrid_engine"].find((name) => given.has(name));
    const isApart =
      (hybrid !== undefined && !given.flag(hybrid, true)) ||
      s.gives("staleness") ||
      (s.parts.words ?? []).some((word) => /fully_async|one_step_off/.test(word));
    if (!isApart) return inapplicable("trainer and engine share their weights");
    if (given.flag(`${model}.lora.merge`, false)) return clear;
    return found(`${s.shown("loraRank")} with an engine apart, and ${model}.lora.merge is not on`, [], {
      advice: `set ${model}.lora.merge=True, and compare a weight of the engine before and after an update`,
    });
  },
};
