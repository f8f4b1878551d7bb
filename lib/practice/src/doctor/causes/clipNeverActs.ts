import { ifKnown, Undecided } from "../../lint/contract";
import type { SettingName } from "../../lint";
import type { View } from "../view";
import { eventInWords, eventsIn, have, lintInWords, lintOf, type CauseKind, type Evidence } from "./contract";

const widths: readonly SettingName[] = ["clip", "clipLow", "clipHigh", "dualClip"];

/** Optimizer steps on each batch; undefined where they are not known. */
function stepsOf({ config }: View): number | undefined {
  try {
    const update = config?.lint.subject.rule.update;
    return update && update.epochs * update.minibatches;
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** Widths of the clip that the configuration sets to other values than the trainer does. */
const widthsOf = ({ subject }: View): string[] =>
  subject === undefined
    ? []
    : widths
        .filter(
          (name) =>
            subject.canSet(name) && subject.gives(name) && !ifKnown(() => subject.isDefault(name), true),
        )
        .map((name) => subject.shown(name));

/** A clip fraction of 0 where it matters: the clip is relied on, or should have acted. */
function mattering(view: View): Evidence | undefined {
  const zero = "the clip fraction is 0 at every step";
  const steps = stepsOf(view);
  if (steps !== undefined && steps > 1) {
    return {
      title: "the clip never acts, although each batch is used several times",
      evidence: [
        zero,
        `each batch is used for ${steps} optimizer steps, and from the second on ratios leave 1`,
      ],
      weight: 42,
      change: [],
      advice:
        "print the ratios of a batch's last step: if all are exactly 1, the old log-probs are computed again for each step, or the metric is not; if they differ by less than the clip, the steps are small, and nothing is wrong",
    };
  }
  const anchor = lintOf(view, "no-anchor");
  const left = eventsIn(view, ["policy/entropy", "policy/klReference"], true).filter(
    ({ recovered }) => !recovered,
  );
  if (left.length > 0 && anchor.length > 0) {
    return {
      title: "the clip never acts, and nothing else holds the policy",
      evidence: [zero, ...left.map(eventInWords), ...anchor.map(lintInWords)],
      weight: 36,
      change: anchor[0]!.change,
      advice: "one step per batch is on-policy, so that its clip is no leash: only a KL to the reference is",
    };
  }
  const set = widthsOf(view);
  if (set.length === 0 || steps === undefined) return undefined;
  return {
    title: "the clip never acts: its widths do nothing",
    evidence: [
      zero,
      `${set.join(" and ")} cannot act: each batch is used for one optimizer step, in which every ratio is 1`,
    ],
    weight: 30,
    change: have(view, { setting: "epochs", value: 2 }),
    advice:
      "several steps on each batch let the clip act and learn more from each rollout; one step is the more stable choice, and needs no clip",
  };
}

export const clipNeverActs: CauseKind = {
  title: "the clip never acts",
  section: "clip-ratio-zero",
  lesson: "05-off-policy-stability",
  basis:
    "arithmetic, and harmless by itself: one step a batch (10 to 14, never a headline); judgment where it was relied on: widths that were set (30), a policy that left its place with no KL (36), several steps on each batch (42)",
  look: (view) => {
    const zero = view.run?.constants.get("policy/clipFrac") === 0;
    const config = lintOf(view, "idle-clip", "token-bounds-on-sequences");
    if (!zero && config.length === 0) return undefined;
    const matters = zero ? mattering(view) : undefined;
    if (matters !== undefined) return matters;
    return {
      evidence: [...(zero ? ["the clip fraction is 0 at every step"] : []), ...config.map(lintInWords)],
      weight: zero ? 14 : 10,
      change: config.find(({ id }) => id === "token-bounds-on-sequences")?.change ?? [],
      advice:
        "one step per batch is on-policy: nothing is wrong with it, but the clip fraction is always 0, and says nothing",
    };
  },
};
