import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { StoredRecord } from "./storedTable";
import { gain, type Effect } from "turnwise/internal/verdict/effect";
import { shown } from "turnwise/internal/verdict/words";

/** A column of stored rows. */
export const numbers = (rows: readonly StoredRecord[], column: string): number[] =>
  rows.map((row) => Number(row[column]));
/** Difference between the ends of runs and of others from the same seeds. */
export const paired = (a: readonly number[], b: readonly number[]): Effect => gain(a, b, { paired: true });
/** A mean with its interval. */
export const text = (values: readonly number[]): string => shown(bootstrapInterval(values));
