import type { Magic } from "./contract.js";
import { nearest } from "./nearest.js";

/** Magics of other kernels, and the way to do the same here. */
const ofOthers: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["pip", "conda", "mamba", "uv", "npm"].map((name) => [name, "%install <package>"])),
  ...Object.fromEntries(["bash", "script", "cmd"].map((name) => [name, "%%sh"])),
  ...Object.fromEntries(
    ["writefile", "file"].map((name) => [
      name,
      "%%module <name>.ts for a module, and writeFileSync of node:fs for any other text",
    ]),
  ),
  capture: "clearOutput() at the end of the cell",
  pwd: "process.cwd(), or !pwd",
  ls: "!ls",
  ...Object.fromEntries(["cat", "mkdir", "rm", "cp", "mv"].map((name) => [name, `!${name}`])),
  matplotlib: "no command: charts are shown by themselves",
  load_ext: "an import of a package",
  autoreload: "no command: an import sees every edit of a local file",
  run: 'import "./<file>"',
  reset: "a restart of the kernel",
  history: "In[n], and the front end's own history",
  whos: "%who",
};

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
  const here = ofOthers[bare];
  const hint = here === undefined ? nearest(marked, names) : `\nHere it is ${here}.`;
  throw new RangeError(
    `Cannot run ${marked}: there is no such magic.${hint}\nThere are ${names.join(", ")}; %help describes each.`,
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
