import type { Magic } from "turnwise-kernel/internal/magics/contract";
import { install } from "turnwise-kernel/internal/magics/install";
import type { SitePackage } from "../library/packages.js";

/** `left-pad` of `left-pad@1`. */
const nameOf = (word: string): string => word.replace(/^npm:/, "").replace(/(?<=.)@[^/]*$/, "");

/** `%install` where there is neither a disk nor npm: says which packages the site has, and how one is made that has more. */
export const installInPage = (packages: () => readonly SitePackage[]): Magic => ({
  ...install,
  usage: ["%install [package ...]"],
  about: "Says which packages of npm this site has, and how to build a site that has others.",
  more: "A page has no npm: what cells import was built into the site.",
  example: "%install d3-array",
  words: [],
  check: () => undefined,
  run({ rest }, host) {
    const names = rest
      .split(/\s+/)
      .filter((word) => word !== "" && !word.startsWith("-"))
      .map(nameOf);
    const all = packages();
    const list = all.map(({ name, version }) => `${name} ${version}`).join(", ") || "none";
    const missing = names.filter((name) => !all.some((one) => one.name === name));
    if (missing.length > 0)
      throw new Error(
        `Cannot install ${missing.join(", ")}: a page has no npm, so packages must be built into the site. This ` +
          `site has ${list}. In a copy of the repository, "npm install --no-save ${missing.join(" ")}" and then ` +
          `"npm run site -- --with ${missing.join(",")}" build one that has ${missing.length === 1 ? "it" : "them"}.`,
      );
    if (names.length === 0) host.print(`This site has the packages ${list}: import them by their names.\n`);
    else host.print(`${names.join(", ")}: in this site already, ready to be imported.\n`);
  },
});
