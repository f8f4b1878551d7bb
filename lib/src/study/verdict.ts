export { shown, type Gap, type Reproduced } from "./verdict/words";
import type { Gap } from "./verdict/words";

type Verdict = "holds" | `holds only if ${string}` | "not reproduced" | `not reproduced: ${string}`;

const contains0: Verdict = "not reproduced: the interval contains 0";

/**
 * The verdict on "this difference is above 0".
 *
 * @param o.then if the whole interval lies above 0; "holds" unless told
 * @param o.below if the whole interval lies below 0; as where it contains 0 unless told
 */
export function above0(
  { low, high }: Pick<Gap, "low" | "high">,
  o: { readonly then?: Verdict; readonly below?: Verdict; readonly otherwise?: Verdict } = {},
): Verdict {
  const { then = "holds", otherwise = contains0, below = otherwise } = o;
  return low > 0 ? then : high < 0 ? below : otherwise;
}

/**
 * The verdict on a claim about several cases: it holds in all of them, in some, or in none. Without a case it was not shown.
 *
 * @param some completes "holds only if ..." from the names of the cases in which it holds
 */
export function inCases(
  cases: readonly (readonly [name: string, holds: boolean])[],
  some: (names: readonly string[]) => string,
  none: Verdict = "not reproduced",
): Verdict {
  const names = cases.filter(([, holds]) => holds).map(([name]) => name);
  if (names.length === 0) return none;
  return names.length === cases.length ? "holds" : `holds only if ${some(names)}`;
}

/** The verdict on "what the library computes now equals what is stored". */
export function reproduces(equal: number, of: number): Verdict {
  return equal === of ? "holds" : "not reproduced: another version of the library?";
}
