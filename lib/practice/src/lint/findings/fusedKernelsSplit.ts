import { clear, found, inapplicable, type Finding } from "../contract";

const kernels = "actor_rollout_ref.model.use_fused_kernels";
const split = "actor_rollout_ref.actor.ulysses_sequence_parallel_size";
/** Data or a model with pictures, by their names. */
const sees = /(^|[-_/.\d])(vl|vlm|vision|omni)([-_/.\d]|$)/i;

export const fusedKernelsSplit: Finding = {
  title: "Fused kernels compute wrong log-probs where sequences are split",
  severity: "error",
  confidence: "likely",
  why: "With sequence parallelism, the fused kernels of models that see pictures take log-probs of the whole input against labels of a part: the KL is far from 0 at the first step, and what is trained is wrong.",
  source: "volcengine/verl#3512, volcengine/verl#6068",
  lesson: "05-off-policy-stability",
  check: (s) => {
    if (s.trainer !== "verl" || !s.hasBaseNames) return inapplicable(`${s.title} has no such kernels`);
    const { given } = s.parts;
    if (!given.flag(kernels, false)) return clear;
    if (given.number(split, 1) <= 1) return clear;
    const model = given.text("actor_rollout_ref.model.path") ?? "";
    if (!given.has("data.image_key") && !sees.test(model))
      return inapplicable("the model is not known to see pictures");
    return found(`${kernels}=True with ${split}=${given.text(split)}`, [], {
      advice: `set ${kernels}=False, or ${split}=1`,
    });
  },
};
