import type { KlShape } from "./contract";

export { klClamp, klCoef, klFields, klLabel, writtenOut } from "./cell";
export type { KlOther, KlShape } from "./contract";
export { borrowsSlope, klEstimate, klTensor } from "./sampled";

/** How a divergence is computed: from whole distributions, or from one sampled token. */
export type KlEstimator = KlShape["estimator"];
