import { clear, found, type Finding } from "../contract";

/** Settings of sampling that force, forbid or reweigh tokens, each with the value that does nothing. */
const reshaping: readonly (readonly [name: RegExp, off: number])[] = [
  [/(^|\.)min_new_tokens$|(^|\.)min_tokens$/, 0],
  [/(^|\.)no_repeat_ngram_size$/, 0],
  [/(^|\.)(repetition_penalty)$/, 1],
  [/(^|\.)(presence_penalty|frequency_penalty)$/, 0],
];
/** Settings of validation alone. */
const ofValidation = /(^|\.)(val|eval)(_kwargs)?\b/;

export const forcedTokens: Finding = {
  title: "Sampling forces, forbids or reweighs tokens, and log-probs do not know it",
  severity: "warning",
  confidence: "likely",
  why: "A penalty on repetition, a ban on n-grams or a least length change the distribution that is sampled from, and log-probs are those of the policy without them: ratios and the KL count tokens that the policy would not have drawn, so that the KL can be below 0, and its charge becomes a reward.",
  source: "huggingface/trl#235, huggingface/trl#1017",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const changed = Object.entries(s.parts.flags).flatMap(([name, value]) => {
      const off = ofValidation.test(name) ? undefined : reshaping.find(([is]) => is.test(name))?.[1];
      return off === undefined || !Number.isFinite(Number(value)) || value === null || Number(value) === off
        ? []
        : [[s.parts.ownName?.(name) ?? name, value, off] as const];
    });
    if (changed.length === 0) return clear;
    return found(changed.map(([name, value]) => `${name}=${String(value)}`).join(", "), [], {
      advice: `set ${changed.map(([name, , off]) => `${name}=${off}`).join(", ")}; against loops, cut the answer or give it no reward`,
    });
  },
};
