import type { Magic } from "./contract.js";
import { spoken } from "./find.js";

/** Possible completions of an unfinished magic line, and the start of the word that they replace. */
export interface MagicCompletions {
  start: number;
  words: string[];
}

/** Completions of the code before the cursor, if it ends in a magic line; undefined otherwise. */
export function completeMagic(before: string, all: readonly Magic[]): MagicCompletions | undefined {
  const name = /(?:^|\n)[ \t]*(%%?\w*)$/.exec(before)?.[1];
  if (name !== undefined) {
    const first = before.trimStart() === name;
    const names = all
      .flatMap(spoken)
      .filter((one) => one.startsWith(name) && (first || !one.startsWith("%%")));
    return names.length === 0 ? undefined : { start: before.length - name.length, words: names.sort() };
  }
  const line = /(?:^|\n)[ \t]*(%%?\w+)[ \t]+(?:[^\n]*[ \t])?([^\s]*)$/.exec(before);
  const magic = line && all.find((one) => spoken(one).includes(line[1]!));
  const words = magic?.words?.filter((word) => word.startsWith(line![2]!)) ?? [];
  return words.length === 0 ? undefined : { start: before.length - line![2]!.length, words };
}
