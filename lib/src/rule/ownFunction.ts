import { show } from "../base/show";
import { standIn, type StandIn } from "../schema";
import { isCustom, type AnyFunction, type Custom } from "./custom";

/** The field of a cell that takes an own function where a name stands. */
export const ownFunction = <F extends AnyFunction>(help: string): StandIn<Custom<F>> =>
  standIn<Custom<F>>('a function with a label, custom("mine", f)', isCustom, { help });

/** A value of a choice that is an own function. */
interface Own<F extends AnyFunction> {
  readonly by: Custom<F>;
}

/** How the errors of an own function begin: they name its cell and its label. */
export const named = (cell: string, { by }: Own<AnyFunction>): string => `${cell} "${by.label}"`;

/**
 * Calls an own function; what it throws is told with its cell and label, and kept as the cause.
 *
 * @throws {Error} if the function throws
 */
export function callOwn<A extends readonly unknown[], R>(
  cell: string,
  { by }: Own<(...args: never[]) => R>,
  ...args: A
): R {
  try {
    return (by.apply as unknown as (...args: A) => R)(...args);
  } catch (cause) {
    const said = cause instanceof Error ? `${cause.name}: ${cause.message}` : show(cause);
    throw new Error(`Cannot apply ${named(cell, { by })} as it must not throw: it threw ${said}`, { cause });
  }
}
