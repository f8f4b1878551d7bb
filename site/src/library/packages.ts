import { textAtOnce } from "./siteFiles.js";

type Namespace = Record<string, unknown>;

/** A package of npm that was built into the site. */
export interface SitePackage {
  readonly name: string;
  readonly version: string;
  readonly file: string;
}

const addresses = new Map<string, readonly SitePackage[]>();

/** The packages at an address, with "/" at its end; asked for once. */
export function sitePackages(address: string): readonly SitePackage[] {
  const known = addresses.get(address);
  if (known) return known;
  let found: SitePackage[];
  try {
    found = JSON.parse(textAtOnce(`${address}packages.json`) ?? "[]") as SitePackage[];
  } catch {
    // Some servers answer everything with a page.
    found = [];
  }
  addresses.set(address, found);
  return found;
}

/** Loads a package; undefined if the site does not have it. */
export function sitePackage(address: string, name: string): (() => Promise<Namespace>) | undefined {
  const found = sitePackages(address).find((one) => one.name === name);
  if (!found) return undefined;
  return async () => ((await import(new URL(found.file, address).href)) as { default: Namespace }).default;
}
