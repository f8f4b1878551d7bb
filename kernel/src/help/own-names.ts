import { DeclarationReader, type Declared } from "./declarations.js";
import type { Declarations } from "./place.js";

/** Declarations in the cells of a notebook under a name, the newest first; the cells come in the order in which they ran. */
export function ownName(
  name: string,
  cells: Iterable<readonly [file: string, text: string]>,
  place: Declarations,
): Declared | undefined {
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return undefined;
  const mentioned = [...cells].filter(([, text]) => text.includes(name));
  if (mentioned.length === 0) return undefined;
  const reader = new DeclarationReader(place);
  for (const [file, text] of mentioned.reverse()) {
    const found = reader.declaredIn(file, text).get(name);
    if (found) return found;
  }
  return undefined;
}
