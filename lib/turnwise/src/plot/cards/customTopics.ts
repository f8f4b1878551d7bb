/** A page of `help` on a field that takes a function: what the function receives and returns. */
export interface CustomTopic {
  readonly name: string;
  readonly about: string;
  readonly also: readonly string[];
  readonly page: string;
}

const rows = (...lines: readonly (readonly [name: string, meaning: string])[]): string =>
  ["| it receives | |", "|---|---|", ...lines.map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)].join(
    "\n",
  );

const page = (...parts: readonly string[]): string => parts.join("\n\n");

/** One for each function of `custom.*` that works on tokens; the others take a batch, as their types say. */
export const customTopics: readonly CustomTopic[] = [
  {
    name: "custom.gate",
    about: "what a custom gate receives and returns",
    also: ["TensorGateInput", "TensorGate", "ScalarGate", "GatePoint"],
    page: page(
      "A gate says what a token may still earn. On tensors it is `(tf, x) => tf.Tensor`: the objective of each token, to be maximized. Fields of `x` have one number for each token, in any layout:",
      rows(
        [
          "ratio",
          "π / π_old, pooled as the rule's `ratio` says, limited to e^±20; 1 if the rule has no ratio",
        ],
        ["advantage", "the token's advantage"],
        ["logProb", "log π of the sampled token, in nats; pooled as the ratio is"],
        ["stopGradient", "the same numbers as a constant: no gradient goes through them"],
      ),
      "TensorFlow.js differentiates it in the ratio and in log π. A gate sees each token by itself: no turn index, mask, or neighbor. For a clip that depends on the turn, write a whole loss (`custom.loss`).",
      "On numbers it is `{ objective, slope?, clipped? }`, functions of one token `{ ratio, advantage, logProb }`; without `slope`, central differences are taken.",
      '```ts\nrecipe("grpo", { gate: custom("cispo", (tf, { ratio, advantage, logProb, stopGradient }) =>\n  tf.mul(tf.mul(stopGradient(tf.minimum(ratio, 1.2)), advantage), logProb)) })\n```',
    ),
  },
  {
    name: "custom.loss",
    about: "what a custom loss receives and returns",
    also: ["LossInput", "LossFunction"],
    page: page(
      "A whole loss is `(tf, x) => tf.Scalar`: one number, to be minimized. N trajectories, at most T turns, at most L tokens a turn; log-probs and entropies in nats; masked cells hold 0:",
      rows(
        ["shape", "[N, T, L]"],
        ["logProb_ntl", "log π of the sampled tokens; differentiated"],
        ["oldLogProb_ntl", "the same when they were sampled, or as the rule's order recomputes them"],
        ["refLogProb_ntl", "the same under the frozen reference policy"],
        ["advantage_ntl", "the advantage, with scale, correction, and carry"],
        ["mask_ntl", "1 where the policy sampled a token in a turn that this step updates"],
        ["turnMask_nt", "1 where a turn has such a token"],
        ["entropy_ntl", "entropy of the next-token distribution; differentiated"],
        ["value_nt", "values before each turn, if the policy has a value head; differentiated"],
        ["oldValue_nt", "the values before this update's first step"],
        ["valueTarget_nt", "what the rule's critic regresses to"],
        ["tokenMean(x)", "sum over the mask / all sampled tokens"],
        ["sequenceMean(x)", "mean over trajectories of the mean over their tokens"],
        ["turnMean(x)", "mean over turns, of [N, T]"],
        ["maskedMean(x, mask, axes)", "sum of mask · x / sum of mask; 0 where the mask is empty"],
        ["stopGradient(x)", "the same numbers as a constant"],
      ),
      "Limit the log-ratio before `exp`, as in `tf.exp(tf.clipByValue(logRatio, -20, 20))`: `checkRule` finds a loss that overflows.",
    ),
  },
];
