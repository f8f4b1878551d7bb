import type { KlShape } from "./contract";

/** A penalty as a release computes it. */
interface Form {
  /** A few characters for the printed table. */
  readonly label: string;
  /** Repository, file and line that a reader can open. */
  readonly source: string;
  readonly fields: KlShape;
}

const onSamples = { direction: "reverse", correction: "none" } as const;
const asVerl = { ...onSamples, estimator: "k3", clamp: { logRatio: 20, value: 10 } } as const;

/** The penalties of public frameworks, by the name that `form` takes. Releases of one form have one label. */
export const klForms = {
  trl: {
    label: "k3 of TRL",
    source: "TRL 1.16.0, trl/trainer/grpo_trainer.py:3100-3102, github.com/huggingface/trl",
    fields: { ...onSamples, estimator: "k3", clamp: null },
  },
  trlCorrected: {
    label: "k3 of TRL, corrected",
    source:
      "TRL 1.16.0, trl/trainer/grpo_trainer.py:3104-3105 (use_bias_correction_kl), github.com/huggingface/trl",
    fields: { direction: "reverse", estimator: "k3", correction: "importanceWeighted", clamp: null },
  },
  deepSeekV32: {
    label: "k3 of TRL, corrected",
    source:
      "the unbiased KL estimate of DeepSeek-V3.2, arXiv 2512.02556 (pi / pi_old times k3); TRL 1.16.0 computes it so, trl/trainer/grpo_trainer.py:3104-3105, github.com/huggingface/trl",
    fields: { direction: "reverse", estimator: "k3", correction: "importanceWeighted", clamp: null },
  },
  verl: {
    label: "k3 of verl",
    source:
      "verl 0.9.1, verl/trainer/ppo/core_algos.py:2239-2245 (low_var_kl), github.com/volcengine/verl; its fork in langfengQ/verl-agent at 2716b30, verl/trainer/ppo/core_algos.py:638-642, leaves out the first limit, which the second makes idle",
    fields: asVerl,
  },
  verlStraightThrough: {
    label: "k3+ of verl",
    source: "verl 0.9.1, verl/trainer/ppo/core_algos.py:2202-2213 (k3+), github.com/volcengine/verl",
    fields: { ...asVerl, estimator: "k3+" },
  },
  seeUpo: {
    label: "k3 of verl",
    source:
      "SeeUPO's code, modelscope/AgentEvolver at e59dea4, external/verl/verl/trainer/ppo/core_algos.py:1298-1304 (low_var_kl)",
    fields: asVerl,
  },
  openRlhf: {
    label: "k2 of OpenRLHF",
    source: "OpenRLHF 0.11.2, openrlhf/models/utils.py:97-113 (k2, cut to 10), github.com/OpenRLHF/OpenRLHF",
    fields: { ...onSamples, estimator: "k2", clamp: { logRatio: 20, value: 10 } },
  },
} as const satisfies Readonly<Record<string, Form>>;

/** The label of the release that computes just so; undefined where none does. */
export function formLabel(kl: KlShape): string | undefined {
  const key = ({ direction, estimator, correction, clamp }: KlShape): string =>
    [direction, estimator, correction, clamp?.logRatio, clamp?.value].join();
  return Object.values<Form>(klForms).find(({ fields }) => key(fields) === key(kl))?.label;
}
