import { resolve } from "node:path";
import type { Aliases } from "../../types/compiler-options.js";
import { findFile } from "./find-file.js";

/** The file that a tsconfig.json means by a module's name; undefined if it says nothing of it, or the file is not there. */
export function aliasedFile(name: string, { base, paths }: Aliases): string | undefined {
  for (const [pattern, targets] of Object.entries(paths).sort(mostExact)) {
    const star = starIn(pattern, name);
    if (star === undefined) continue;
    for (const target of targets) {
      const file = findFile(
        resolve(
          base,
          target.replace("*", () => star),
        ),
      );
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

/** Whether a tsconfig.json means local files by a module's name, be they there or not. */
export const isAlias = (name: string, aliases: Aliases | undefined): boolean =>
  aliases !== undefined && Object.keys(aliases.paths).some((pattern) => starIn(pattern, name) !== undefined);

/** Text in place of the star; an empty text for a pattern without one, and undefined if it does not fit. */
function starIn(pattern: string, name: string): string | undefined {
  const at = pattern.indexOf("*");
  if (at < 0) return pattern === name ? "" : undefined;
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  const fits = name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
  return fits ? name.slice(before.length, name.length - after.length) : undefined;
}

/** As TypeScript does: a name without a star first, then the longest text before it. */
function mostExact([a]: [string, unknown], [b]: [string, unknown]): number {
  const [one, other] = [prefixLength(a), prefixLength(b)];
  return one === other ? 0 : other - one;
}

function prefixLength(pattern: string): number {
  const at = pattern.indexOf("*");
  return at < 0 ? Infinity : at;
}
