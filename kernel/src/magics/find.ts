import type { Magic } from "./contract.js";
import { nearest } from "./nearest.js";

/** Notation of a magic: `%cd`, `%%html`, `!`. */
export function spoken({ usage }: Magic): string[] {
  return [...new Set(usage.map((one) => (one.startsWith("!") ? "!" : one.split(" ")[0]!)))];
}

/**
 * The magic of a name as a cell or a user writes it, with or without percent signs.
 *
 * @throws {RangeError} if there is none
 */
export function findMagic(written: string, all: readonly Magic[]): Magic {
  const bare = written.replace(/^%+/, "");
  const found = all.find(
    ({ name, usage }) => name === bare || (written === "!" && usage[0]!.startsWith("!")),
  );
  if (found) return found;
  const names = all.flatMap(spoken).sort();
  const marked = written.startsWith("%") ? written : `%${written}`;
  throw new RangeError(
    `Cannot run ${marked}: there is no such magic.${nearest(marked, names)}\nThere are ${names.join(", ")}; %help describes each.`,
  );
}

/**
 * The magic that a cell calls in a form, `%name` or `%%name`.
 *
 * @throws {RangeError} if there is none of that name, or not in that form
 */
export function calledMagic(written: string, all: readonly Magic[]): Magic {
  const magic = findMagic(written, all);
  if (spoken(magic).includes(written)) return magic;
  throw new RangeError(
    `Cannot run ${written}: it must be written ${spoken(magic).join(" or ")}: ${magic.usage.join(", or ")}`,
  );
}
