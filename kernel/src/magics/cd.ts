import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Magic } from "./contract.js";

let previous: string | undefined;

/** `%cd`: the folder in which files are read and commands run. */
export const cd: Magic = {
  name: "cd",
  forms: ["line"],
  usage: ["%cd [folder | - | ~]"],
  about: "Changes the folder in which cells open files and commands run, or prints it.",
  more: "`%cd -` goes back, `%cd ~` home. Imports are still resolved from the notebook's folder.",
  example: "%cd data",
  run({ rest }, host) {
    const wanted = unquoted(rest.trim());
    const current = process.cwd();
    if (wanted !== "") {
      if (wanted === "-" && previous === undefined) {
        throw new RangeError("Cannot go back: there was no %cd before.");
      }
      const target =
        wanted === "-" ? previous! : wanted === "~" ? homedir() : wanted.replace(/^~(?=[\\/])/, homedir());
      change(resolve(current, target));
      previous = current;
    }
    host.print(`${process.cwd()}\n`);
  },
};

function change(folder: string): void {
  try {
    process.chdir(folder);
  } catch {
    throw new RangeError(`Cannot go to ${folder}: no such folder.`);
  }
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
