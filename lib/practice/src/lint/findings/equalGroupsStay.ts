import { EQUAL_GROUPS } from "../../configs/dialects/openInstruct";
import { clear, found, inapplicable, type Finding } from "../contract";

export const equalGroupsStay: Finding = {
  title: "Groups whose rewards are all equal stay in the batch",
  severity: "note",
  confidence: "possible",
  why: "They have no gradient. As the task is learned, or while it is too hard, most groups are such: the effective batch shrinks, the loss is 0, and the noise grows.",
  source:
    "DAPO, arXiv 2503.14476, section 3.2 (dynamic sampling); huggingface/trl#3452, huggingface/trl#2703",
  lesson: "01-grpo-from-scratch",
  check: (s) => {
    const { filter, advantage } = s.rule;
    if (["gae", "biLevelGae", "return", "returnToGo"].includes(advantage.kind))
      return inapplicable("its advantage has no groups");
    if (filter.kind !== "none") return clear;
    if (s.parts.dialect === "open-instruct") {
      if (!/^false$/i.test(s.parts.given.text(EQUAL_GROUPS) ?? "")) return clear;
      return found(`${EQUAL_GROUPS}=False`, [], { advice: `leave out ${EQUAL_GROUPS}: it is on by default` });
    }
    if (!s.has("groupFilter")) {
      return found(`${s.title} has no setting that leaves them out`, [], {
        advice: "watch the share of such groups, and choose tasks that are solved now and then",
      });
    }
    const change = s.trainer === "skyrl" ? { value: "filter" } : { value: true };
    return found(s.shown("groupFilter"), [{ setting: "groupFilter", ...change }]);
  },
};
