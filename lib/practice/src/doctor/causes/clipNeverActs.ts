import { lintInWords, lintOf, type CauseKind } from "./contract";

export const clipNeverActs: CauseKind = {
  title: "the clip never acts",
  section: "clip-ratio-zero",
  lesson: "05-off-policy-stability",
  basis: "arithmetic, and harmless: one step a batch (10 to 14, never a headline)",
  look: (view) => {
    const zero = view.run?.constants.get("policy/clipFrac") === 0;
    const config = lintOf(view, "idle-clip", "token-bounds-on-sequences");
    if (!zero && config.length === 0) return undefined;
    return {
      evidence: [...(zero ? ["the clip fraction is 0 at every step"] : []), ...config.map(lintInWords)],
      weight: zero ? 14 : 10,
      change: config.find(({ id }) => id === "token-bounds-on-sequences")?.change ?? [],
      advice:
        "one step per batch is on-policy: nothing is wrong with it, but the clip fraction is always 0, and says nothing",
    };
  },
};
