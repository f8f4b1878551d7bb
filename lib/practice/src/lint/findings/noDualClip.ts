import { clear, found, inapplicable, type Finding } from "../contract";

export const noDualClip: Finding = {
  title: "Nothing bounds a negative advantage",
  severity: "warning",
  confidence: "likely",
  why: "Where the advantage is negative, PPO's clip bounds the ratio from below alone. A token that has become likelier a hundred times is pushed down a hundred times as hard: one such token makes a gradient spike.",
  source: "Ye et al., arXiv 1912.09729, section 4.3 (dual clip)",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const { gate, update, ratio } = s.rule;
    if (gate.kind !== "clip" || ratio.level === "none")
      return gate.kind === "dualClip" ? clear : inapplicable("its gate is no clip of PPO's");
    if (update.epochs * update.minibatches === 1) return inapplicable("one step a batch: every ratio is 1");
    return found(
      `a plain clip and ${update.epochs * update.minibatches} steps a batch`,
      s.trainer === "skyrl"
        ? [{ setting: "ratioLevel", value: "dual_clip" }]
        : s.either([{ setting: "dualClip", value: 3 }]),
    );
  },
};
