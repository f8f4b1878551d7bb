import type { Magic } from "turnwise-kernel/internal/magics/contract";
import { magics } from "turnwise-kernel/internal/magics/index";
import type { SitePackage } from "../library/packages.js";
import { installInPage } from "../types/install.js";

/** Functions that a page cannot offer, with the reasons. */
const absent: Readonly<Record<string, string>> = {
  sh: "run a command: a web page has no shell.",
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
