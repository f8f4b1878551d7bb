import { REFERENCE_UPDATES } from "../../configs/dialects/slime";
import { clear, found, inapplicable, type Finding } from "../contract";

export const fixedReference: Finding = {
  title: "The reference is never updated",
  severity: "note",
  confidence: "possible",
  why: "Charged against the first policy, a long run is held ever harder the more it learns: the KL grows and progress stops.",
  source: "ProRL, arXiv 2505.24864, section 3.2 (reference reset)",
  lesson: "10-language-model",
  check: (s) => {
    const { reward, regularizer } = s.rule;
    const coef = regularizer.klReference?.coef ?? reward.kl?.coef ?? 0;
    if (coef === 0) return inapplicable("no KL to a reference is charged");
    const { dialect, given } = s.parts;
    if (dialect === "slime" || dialect === "miles") {
      if (given.text(REFERENCE_UPDATES) !== null) return clear;
      return found(`a KL is charged ${coef} times, and ${REFERENCE_UPDATES} is not given`, [], {
        advice: "--ref-update-interval copies the policy into the reference after that many rollouts",
      });
    }
    if (!s.has("referenceSync")) {
      return found(
        `a KL is charged ${coef} times, and ${s.title} has no setting that moves the reference`,
        [],
        {
          advice: "restart from the newest checkpoint once the KL has stopped growing",
        },
      );
    }
    if (s.isOn("referenceSync")) return clear;
    return found(`a KL is charged ${coef} times, and ${s.shown("referenceSync")}`, [
      { setting: "referenceSync", value: true },
    ]);
  },
};
