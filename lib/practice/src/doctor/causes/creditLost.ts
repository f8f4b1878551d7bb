import { lintInWords, lintOf, type CauseKind } from "./contract";

export const creditLost: CauseKind = {
  title: "tokens of tools stand between an action and its reward",
  section: "credit-for-turns",
  lesson: "08-step-credit",
  basis: "threads: 2 of 45, in released code (58; 46 where whether it applies is open)",
  look: (view) => {
    const found = lintOf(view, "reward-stops-at-tools", "kl-of-tool-tokens");
    if (found.length === 0) return undefined;
    const sure = found.some(({ confidence }) => confidence !== "possible");
    return {
      evidence: found.map(lintInWords),
      weight: sure ? 58 : 46,
      change: found.find(({ change }) => change.length > 0)?.change ?? [],
      ...(found[0]!.advice === undefined ? {} : { advice: found[0]!.advice }),
    };
  },
};
