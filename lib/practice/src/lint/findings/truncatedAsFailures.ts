import { clear, found, unknown, type Finding } from "../contract";
import type { Subject } from "../subject";

const overlong = (s: Subject): string =>
  s.trainer === "openrlhf"
    ? "--reward.overlong_buffer_len 1024, or raise --rollout.max_new_tokens until under 5% of answers are cut"
    : "reward.reward_manager.name=dapo +reward.reward_kwargs.overlong_buffer_cfg.enable=True, or raise data.max_response_length until under 5% of answers are cut";

export const truncatedAsFailures: Finding = {
  title: "Answers cut at the limit count as failures",
  // Nearly every run has this: only a share of cut answers that was measured makes it more than a note.
  severity: "note",
  confidence: "possible",
  why: "An answer that is cut off gets no reward, however good it was. The policy learns to stop early, or, where every answer is cut, that nothing pays.",
  source: "DAPO, arXiv 2503.14476, section 3.4 (overlong filtering and shaping)",
  lesson: "10-language-model",
  check: (s) => {
    if (s.rule.reward.overlong !== null) return clear;
    if (s.has("maskTruncated")) {
      if (s.isOn("maskTruncated")) return clear;
      return found(s.shown("maskTruncated"), [{ setting: "maskTruncated", value: true }], {
        advice: "or raise the limit until under 5% of answers are cut",
      });
    }
    if (!s.has("overlongBuffer") || !s.canSet("overlongBuffer"))
      return unknown(`${s.title} has no setting for it: its environment decides`);
    return found(`${s.shown("overlongBuffer")}: nothing tells a cut answer from a wrong one`, [], {
      advice: overlong(s),
    });
  },
};
