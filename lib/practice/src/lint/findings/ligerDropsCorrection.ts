import { clear, found, inapplicable, type Finding } from "../contract";

export const ligerDropsCorrection: Finding = {
  title: "The fused loss of Liger may leave out the correction for vLLM",
  severity: "warning",
  confidence: "possible",
  why: "Releases of liger-kernel before March 2026 did not know the weights that TRL corrects vLLM's samples with: the correction was dropped without a word, and gradients were up to a hundred times as large.",
  source: "linkedin/Liger-Kernel#1082, fixed by linkedin/Liger-Kernel#1088",
  lesson: "05-off-policy-stability",
  check: (s) => {
    if (s.trainer !== "trl") return inapplicable("it is a setting of TRL's");
    const name = ["use_liger_kernel", "use_liger_loss"].find((one) => s.parts.given.flag(one, false));
    if (name === undefined || !s.isOn("engine") || !s.isOn("correction")) return clear;
    return found(`${name}=true, ${s.shown("engine")}, ${s.shown("correction")}`, [], {
      advice: `update liger-kernel, or leave ${name} out and compare the gradient norm`,
    });
  },
};
