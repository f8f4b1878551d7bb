/** Names of an earlier version, for one minor version more: each is its present namesake. */
export {
  /** @deprecated Use `checkExercise`. @public */
  checkExercise as check,
} from "./exercise";
export type {
  /** @deprecated Use `StoredRecord`. @public */
  StoredRecord as StoredRow,
} from "./shared/storedTable";
