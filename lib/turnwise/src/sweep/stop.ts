/**
 * The method by which a kernel stops what an interrupted cell awaits. If it returns a promise, the cell still gets the value
 * that it waits for, and stops after that.
 *
 * @public
 */
export const stopSymbol: unique symbol = Symbol.for("turnwise.stop") as never;
