import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { indexOf } from "./api-index.js";
import type { Declared } from "./declarations.js";
import { documentedPackages } from "./documented.js";
import { Help } from "./help.js";
import type { KnownPackage } from "./known-packages.js";
import { ownName } from "./own-names.js";
import { packagesOnDisk } from "./packages-on-disk.js";
import type { HelpPlace, InstalledLibrary } from "./place.js";

const load = createRequire(__filename);

/** The disk, and the packages that a notebook's folder and the kernel find there. */
export function onDisk(folder: string): HelpPlace {
  return {
    // TypeScript takes a quarter of a second to load, and most notebooks ask for no help.
    get typescript() {
      return load("typescript") as typeof import("typescript");
    },
    exists: existsSync,
    read: (path) => readFileSync(path, "utf8"),
    join,
    dirname,
    kernel: join(__dirname, "..", "index.d.ts"),
    libraries: () =>
      packagesOnDisk(folder).packages.flatMap((one) => {
        const places = [join(folder, "notebook.js"), __filename];
        return places.flatMap((from) => libraryFrom(createRequire(from), one) ?? []).slice(0, 1);
      }),
    index: indexOf,
  };
}

function libraryFrom(require: NodeJS.Require, known: KnownPackage): InstalledLibrary | undefined {
  try {
    require.resolve(known.name);
    return { package: known, load: (tier) => require(tier) as Record<string, unknown> };
  } catch {
    return undefined;
  }
}

/** Help from what is installed: for the names of a kernel's module, and for those that cells have declared. */
export function installedHelp(
  kernel: Readonly<Record<string, unknown>>,
  folder: string,
  cells: () => Iterable<readonly [file: string, text: string]> = () => [],
): Help {
  const place = onDisk(folder);
  return new Help(
    () => {
      for (const problem of packagesOnDisk(folder).problems) console.warn(problem);
      return documentedPackages(kernel, place);
    },
    (value) => inspect(value, { depth: 0, breakLength: Infinity }),
    (name): Declared | undefined => ownName(name, cells(), place),
  );
}
