import type { Custom } from "./custom";
import { named } from "./customFunction";
import { shown } from "./customShown";

/** So many times a function is asked twice: functions of one token see good and bad ones in it. */
const PROBES = 64;
const asked = new WeakMap<Custom, number>();

/**
 * Refuses a function that answers the same question in two ways: a run could not be repeated.
 *
 * Its first calls are tried, as later ones have no reason to be different.
 *
 * @param ask asks the function, with arguments that it may change
 * @throws {RangeError} if the answers differ
 */
export function expectRepeats(field: string, own: { readonly by: Custom }, ask: () => unknown): void {
  const count = asked.get(own.by) ?? 0;
  if (count === PROBES) return;
  asked.set(own.by, count + 1);
  const [one, other] = [ask(), ask()];
  if (alike(one, other)) return;
  throw new RangeError(
    `Cannot apply ${named(field, own)}: it must depend on its arguments alone, so that a run can be repeated, ` +
      `but called twice with the same, it returned ${shown(one)}, then ${shown(other)}.`,
  );
}

function alike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const [a, b] = [Object.entries(one), Object.entries(other)];
  return a.length === b.length && a.every(([key, value], i) => key === b[i]![0] && alike(value, b[i]![1]));
}
