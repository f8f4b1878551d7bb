import { clear, found, inapplicable, type Finding } from "../contract";

export const unslothEnvironmentMask: Finding = {
  title: "Unsloth's trainer may ignore the mask of the environment's tokens",
  severity: "error",
  confidence: "possible",
  why: "Releases of Unsloth before June 2026 replaced TRL's loss by one that did not know env_mask: feedback and tool output were trained on as if the policy had written them, and multi-turn runs collapsed.",
  source: "unslothai/unsloth#5673, fixed by unslothai/unsloth#5682",
  lesson: "06-agentic-pomdp",
  check: (s) => {
    if (s.trainer !== "trl") return inapplicable("it is Unsloth's");
    if (!s.mentions("unsloth")) return clear;
    const passed = ["rollout_func", "environment_factory", "tools"].find((name) => s.mentions(name));
    if (passed === undefined) return clear;
    return found(`unsloth is imported, and ${passed} is passed to the trainer`, [], {
      advice: "update unsloth and unsloth_zoo, or train the same program with TRL alone and compare",
    });
  },
};
