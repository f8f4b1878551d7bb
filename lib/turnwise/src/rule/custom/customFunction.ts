import { isInterrupt } from "../../base/isInterrupt";
import { show } from "../../base/show";
import { standIn, type StandIn } from "../../schema";
import { isCustom, type Custom, type CustomForm } from "./custom";
import { shown } from "./customShown";

/** The entry of a field that takes a custom function where a name stands. */
export const customFunction = <F extends CustomForm>(help: string): StandIn<Custom<F>> =>
  standIn<Custom<F>>('a function with a label, custom("mine", f)', isCustom, { help });

/** A value of a choice that is a custom function. */
interface Own<F extends CustomForm> {
  readonly by: Custom<F>;
}

/** Start of the errors of a custom function: they name its field and its label. */
export const named = (field: string, { by }: Own<CustomForm>): string => `${field} "${by.label}"`;

/**
 * Calls a custom function; what it throws is told with its field and label, and kept as the cause.
 *
 * @throws {Error} if the function throws
 */
export function callCustom<A extends readonly unknown[], R>(
  field: string,
  { by }: Own<(...args: never[]) => R>,
  ...args: A
): R {
  return callNamed(field, { by }, by.apply as unknown as (...args: A) => R, ...args);
}

/**
 * The same for one of several functions under a label.
 *
 * @throws {Error} if the function throws
 */
export function callNamed<A extends readonly unknown[], R>(
  field: string,
  { by }: Own<CustomForm>,
  f: (...args: A) => R,
  ...args: A
): R {
  if (typeof f !== "function") {
    throw new TypeError(
      `Cannot apply ${named(field, { by })}: it must be one function, but it is ${shown(f)}.`,
    );
  }
  try {
    return f(...args);
  } catch (cause) {
    if (isInterrupt(cause)) throw cause;
    const said = cause instanceof Error ? `${cause.name}: ${cause.message}` : show(cause);
    throw new Error(`Cannot apply ${named(field, { by })}: it must not throw, but it threw ${said}`, {
      cause,
    });
  }
}
