import { DeclarationReader } from "./declarations.js";
import type { Documented } from "./help.js";
import { magics } from "./magics.js";
import { entryPoints, type Manifest } from "./known-packages.js";
import type { HelpPlace } from "./place.js";

/** The packages that cells know: the kernel's own module, and those of `knownPackages` that are installed. */
export function documentedPackages(
  kernel: Readonly<Record<string, unknown>>,
  place: HelpPlace,
): Documented[] {
  const found: Documented[] = [];
  const inside: Documented[] = [];
  for (const library of place.libraries()) {
    const manifest = JSON.parse(place.read(library.file)) as Manifest;
    const reader = new DeclarationReader(place);
    const entries = entryPoints(manifest)
      .map(({ name, types }) => ({ name, types: place.join(place.dirname(library.file), types) }))
      .filter(({ types }) => place.exists(types));
    for (const { name, types } of entries) {
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
    if (entries.length > 0)
      inside.push({ name: manifest.name, exports: {}, declared: reader.everything(), inside: true });
  }
  found.push(...inside);
  if (place.exists(place.kernel)) {
    const declared = new Map([...new DeclarationReader(place).exportsOf(place.kernel), ...magics]);
    found.push({ name: "turnwise-kernel", exports: kernel, declared });
  }
  return found;
}
