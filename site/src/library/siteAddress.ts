/** One for all copies of the stand-ins: a package that was built into the site has its own. */
const siteSymbol = Symbol.for("turnwise.siteFiles");
const scope = globalThis as { [siteSymbol]?: string };

/** Tells where the files of the site are served, with "/" at its end. */
export function tellSite(base: string): void {
  scope[siteSymbol] = `${base}files/`;
}

export const siteFiles = (): string | undefined => scope[siteSymbol];
