import { clear, found, inapplicable, type Finding, type Outcome } from "../contract";
import type { Subject } from "../subject";

const model = "actor_rollout_ref.model";

const LORA = "vllm_enable_lora";

/** ms-swift merges the adapter before it sends the weights, unless the engine is told to keep it apart. */
function ofSwift(s: Subject): Outcome {
  const { given } = s.parts;
  if (!given.flag(LORA, false)) return clear;
  const resumes = given.has("resume_from_checkpoint") && given.text("resume_from_checkpoint") !== null;
  const turns = ["multi_turn_scheduler", "vllm_use_async_engine"].find((name) => given.has(name));
  if (!resumes && turns === undefined) return clear;
  return found(
    `${LORA}=true with ${resumes ? "resume_from_checkpoint: the adapter may count twice" : `${turns!}: its requests may go out without the adapter`}`,
    [],
    { advice: `set --${LORA} false, for the trainer and for swift rollout, so that merged weights are sent` },
  );
}

export const adapterNotSent: Finding = {
  title: "An adapter may never reach the engine that samples",
  severity: "warning",
  confidence: "possible",
  why: "Where trainer and engine are separate, verl up to 0.10 sends the engine the frozen base weights and no adapter, unless the adapter is merged: rollouts stay those of the first policy, and what looks like staleness is the distance from it. ms-swift up to 4.3 samples several turns without the adapter that it has sent, and after a resume counts it twice.",
  source: "volcengine/verl#7495, volcengine/verl#3516, modelscope/ms-swift#9855, modelscope/ms-swift#8233",
  lesson: "05-off-policy-stability",
  check: (s) => {
    if (s.parts.dialect === "ms-swift") return ofSwift(s);
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
