import type { Citation } from "./evidence";
import { rows, type RecipeName } from "./rules";

/** Source of every recipe, and how far its rule departs from it. */
export const citations: Readonly<Record<RecipeName, Citation>> = rows;
