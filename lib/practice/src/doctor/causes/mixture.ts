import type { View } from "../view";

/** Names of models that are mixtures of experts, and settings that only those have. */
const ofMixture =
  /\bMoE\b|-A\d+(?:\.\d+)?B\b|\bmoonlight\b|\bmixtral\b|\bdeepseek[-_]?v[23]\b|\bgpt-oss\b|expert(?:_model)?_parallel_size["']?\s*[:=]\s*(?!1\b)\d/i;

/** Whether the model that is trained is a mixture of experts, as its configuration says. */
export const isMixture = ({ config }: View): boolean => config !== undefined && ofMixture.test(config.text);
