export { klClamp, klCoef, klFields, klLabel, writtenOut } from "./fields";
export type { KlOther, KlShape } from "./contract";
export { borrowsSlope, klEstimate } from "./sampled";
