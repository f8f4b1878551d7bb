import { eventInWords, eventsIn, lintInWords, lintOf, timing, type CauseKind } from "./contract";
import { checksOf } from "./rolloutChecks";
import type { View } from "../view";

/** Arguments of a Python trainer by which an environment, not the policy, writes some of the tokens. */
const environments = /\b(?:rollout_func|environment_factory|env_mask|tools)\s*=/;

/** Why some tokens may be an environment's; undefined if nothing says so. */
function byEnvironment({ run, config, subject }: View): string | undefined {
  const metric = (["tools/calls", "turns/mean"] as const).find((name) =>
    run?.records.some(({ metrics }) => (metrics[name] ?? 0) > (name === "turns/mean" ? 1 : 0)),
  );
  if (metric !== undefined)
    return metric === "tools/calls" ? "tools are called" : "an answer has several turns";
  if (config === undefined) return undefined;
  const named = environments.exec(config.text)?.[0];
  if (named !== undefined) return `the configuration passes ${named.replace(/\s*=$/, "")}`;
  return subject?.has("multiTurn") === true && subject.gives("multiTurn") && subject.isOn("multiTurn")
    ? subject.shown("multiTurn")
    : undefined;
}

export const toolTokens: CauseKind = {
  title: "what tools wrote is trained on",
  section: "tool-tokens",
  lesson: "06-agentic-pomdp",
  basis:
    "arithmetic where a stored mask trains them (80) or a setting says so (62); threads: 3 of 45 for a fall of several turns without any file that shows a mask (33)",
  look: (view) => {
    const config = lintOf(view, "tool-tokens-trained", "unsloth-environment-mask", "inverted-state-mask");
    if (config.length > 0) {
      return {
        evidence: config.map(lintInWords),
        weight: config.some(({ confidence }) => confidence === "certain") ? 62 : 50,
        change: config[0]!.change,
        ...(config[0]!.advice === undefined ? {} : { advice: config[0]!.advice }),
      };
    }
    const stored = checksOf(view, "otherRoles").filter(({ mask }) => mask.isStored);
    if (stored.length > 0) {
      return {
        evidence: stored.map(
          ({ file, check }) =>
            `the mask in ${file} trains ${check.found} tokens of another role, of ${check.checked}, first in ${check.example}`,
        ),
        weight: 80,
        change: [],
        advice: "every token that a tool or an environment wrote must be 0 in the mask",
      };
    }
    const why = byEnvironment(view);
    if (why === undefined || view.run?.verdict.success.kind !== "fell") return undefined;
    // A mask that the configuration gives as on is not suspected.
    if (view.subject?.has("maskTools") && view.subject.gives("maskTools")) return undefined;
    const moved = eventsIn(
      view,
      ["policy/klReference", "policy/gradNorm", "policy/entropy", "policy/approxKl"],
      true,
    );
    const [first] = moved;
    if (first === undefined) return undefined;
    return {
      evidence: [
        `${why}, and no file shows whether tokens of the environment are masked`,
        ...moved.map(eventInWords),
      ],
      weight: 33 + timing(view, first) / 2,
      change: [],
      advice:
        "print one training batch with its loss mask: every token that a tool or an environment wrote must be 0 in it",
    };
  },
};
