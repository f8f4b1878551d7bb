import type { Citation } from "./evidence";
import { rows, type RecipeName } from "./rows";

/** Where every recipe comes from, and how far its row departs from it. */
export const citations: Readonly<Record<RecipeName, Citation>> = rows;
