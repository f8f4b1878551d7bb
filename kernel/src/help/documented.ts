import { DeclarationReader } from "./declarations.js";
import type { Documented } from "./help.js";
import { magics } from "./magics.js";
import type { HelpPlace, InstalledLibrary } from "./place.js";

/** The packages that cells know: the kernel's own module, and `turnwise` where it is installed. */
export function documentedPackages(
  kernel: Readonly<Record<string, unknown>>,
  place: HelpPlace,
): Documented[] {
  const found: Documented[] = [];
  const library = place.library();
  const tiers = library ? tiersOf(library, place) : [];
  if (library && tiers.length > 0) {
    const reader = new DeclarationReader(place);
    for (const { name, types } of tiers) {
      let exports: Record<string, unknown> | undefined;
      const declared = reader.exportsOf(types);
      found.push({
        name,
        declared,
        index: (one) => place.index(library.file, name, one),
        get exports() {
          return (exports ??= library.load(name)) ?? {};
        },
      });
    }
    found.push({ name: "turnwise", exports: {}, declared: reader.everything(), inside: true });
  }
  if (place.exists(place.kernel)) {
    const declared = new Map([...new DeclarationReader(place).exportsOf(place.kernel), ...magics]);
    found.push({ name: "turnwise-kernel", exports: kernel, declared });
  }
  return found;
}

interface Tier {
  /** As an import names it, such as `turnwise/exact`. */
  name: string;
  types: string;
}

/** The entries of a package that have types. */
function tiersOf({ file }: InstalledLibrary, place: HelpPlace): Tier[] {
  const {
    name,
    types = "index.d.ts",
    exports = {},
  } = JSON.parse(place.read(file)) as {
    name: string;
    types?: string;
    exports?: Record<string, { types?: string } | string>;
  };
  const entries = Object.entries(exports).flatMap(([path, entry]) =>
    typeof entry === "object" && entry.types !== undefined ? [[path, entry.types] as const] : [],
  );
  return (entries.length > 0 ? entries : [[".", types] as const])
    .map(([path, entry]) => ({
      name: place.join(name, path).replaceAll("\\", "/"),
      types: place.join(place.dirname(file), entry),
    }))
    .filter((tier) => place.exists(tier.types));
}
