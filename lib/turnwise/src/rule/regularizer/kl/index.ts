export { klClamp, klCoef, klFields, klLabel, writtenOut } from "./cell";
export type { KlOther, KlShape } from "./contract";
export { borrowsSlope, klEstimate } from "./sampled";
