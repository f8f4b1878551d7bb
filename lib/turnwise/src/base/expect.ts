import { show } from "./show";
import { unknownOption } from "./suggest";

/** @throws {TypeError} if the flat array does not have one entry per cell of `shape` */
export function expectLength(
  what: string,
  name: string,
  array: ArrayLike<unknown>,
  shape: readonly number[],
): void {
  let wanted = 1;
  for (const size of shape) wanted *= size;
  if (array.length !== wanted) {
    const cells = `${String(wanted)} (${shape.join(" x ")})`;
    throw new TypeError(
      `Cannot compute ${what}: ${name} must have ${cells} entries, got ${String(array.length)}.`,
    );
  }
}

/** @throws {RangeError} if one of the first `count` numbers is not finite; default: all of them */
export function expectFinite(
  what: string,
  name: string,
  array: ArrayLike<number>,
  count = array.length,
): void {
  for (let i = 0; i < count; i++) {
    if (!Number.isFinite(array[i])) {
      throw new RangeError(
        `Cannot compute ${what}: ${name} must be finite, but entry ${String(i)} is ${String(array[i])}.`,
      );
    }
  }
}

/** @throws {RangeError} if the number does not lie in [low, high] */
export function expectWithin(what: string, name: string, value: number, low: number, high: number): void {
  if (!(value >= low && value <= high)) {
    const wanted = `from ${String(low)} to ${String(high)}`;
    throw new RangeError(`Cannot compute ${what}: ${name} must be ${wanted}, got ${show(value)}.`);
  }
}

/**
 * @param action completes "Cannot ..."
 * @throws {RangeError} if the number is not whole or is below `low`
 */
export function expectWhole(action: string, name: string, value: number, low: number): void {
  if (Number.isInteger(value) && value >= low) return;
  throw new RangeError(`Cannot ${action}: ${name} must be an integer >= ${low}, got ${show(value)}.`);
}

/**
 * Options that a type would refuse, in cells and programs without types.
 *
 * @param action completes "Cannot ..."
 * @throws {RangeError} if an option is not among the known ones, with the nearest of them
 */
export function expectKnown(action: string, options: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(options)) {
    if (known.includes(name) || value === undefined) continue;
    throw new RangeError(unknownOption(action, name, "the options", known));
  }
}
