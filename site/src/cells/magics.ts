import type { Magic } from "turnwise-kernel/internal/magics/contract";
import { magics } from "turnwise-kernel/internal/magics/index";
import type { SitePackage } from "../library/packages.js";
import { installInPage } from "../types/install.js";

/** What a page cannot do, and why. */
const absent: Readonly<Record<string, string>> = {
  sh: "run a command as there must be a shell: a web page has none",
};

/** The magics of a notebook in a page: all have their name and their help, and those that cannot work say why. */
export const pageMagics = (packages: () => readonly SitePackage[]): readonly Magic[] =>
  magics.map((magic) => (magic.name === "install" ? installInPage(packages) : orRefused(magic)));

function orRefused(magic: Magic): Magic {
  const why = absent[magic.name];
  if (why === undefined) return magic;
  return {
    ...magic,
    run: () => {
      throw new Error(`Cannot ${why}`);
    },
  };
}
