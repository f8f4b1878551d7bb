import { DeclarationReader } from "./declarations.js";
import type { Documented } from "./help.js";
import { magics } from "./magics.js";
import { entryPoints } from "./known-packages.js";
import type { HelpPlace } from "./place.js";

/** The packages that cells know: the kernel's own module, and the installed ones that declare the field `jupyterKernel`. */
export function documentedPackages(
  kernel: Readonly<Record<string, unknown>>,
  place: HelpPlace,
): Documented[] {
  const found: Documented[] = [];
  const inside: Documented[] = [];
  for (const library of place.libraries()) {
    const reader = new DeclarationReader(place);
    const entries = entryPoints(library.package)
      .map(({ name, types }) => ({ name, types: place.join(place.dirname(library.package.file), types) }))
      .filter(({ types }) => place.exists(types));
    for (const { name, types } of entries) {
      let exports: Record<string, unknown> | undefined;
      const declared = reader.exportsOf(types);
      found.push({
        name,
        declared,
        index: (one) => place.index(library.package.file, name, one),
        get exports() {
          if (library.package.field.help !== true) return {};
          return (exports ??= library.load(name)) ?? {};
        },
      });
    }
    if (entries.length > 0)
      inside.push({ name: library.package.name, exports: {}, declared: reader.everything(), inside: true });
  }
  found.push(...inside);
  if (place.exists(place.kernel)) {
    const declared = new Map([...new DeclarationReader(place).exportsOf(place.kernel), ...magics]);
    found.push({ name: "turnwise-kernel", exports: kernel, declared });
  }
  return found;
}
