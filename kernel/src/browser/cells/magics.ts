import type { Magic } from "../../magics/contract.js";
import { magics } from "../../magics/index.js";

/** What a page cannot do, and why. */
const absent: Readonly<Record<string, string>> = {
  sh: "run a command as there must be a shell: a web page has none",
  cd: "change the folder as a process must have one: a web page has none",
  install: "install a package as there must be a disk and npm: a web page loads what the site has",
  module: "write a module as there must be a folder that threads can read: a web page has none",
};

/** The magics of a notebook in a page: all have their name and their help, and those that cannot work say why. */
export const pageMagics: readonly Magic[] = magics.map((magic) => {
  const why = absent[magic.name];
  if (why === undefined) return magic;
  return {
    ...magic,
    run: () => {
      throw new Error(`Cannot ${why}`);
    },
  };
});
