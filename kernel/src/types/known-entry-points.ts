import { entryPoints, knownPackages as packagesKnown, type KnownPackage } from "../help/known-packages.js";
import { host } from "./host.js";

/** The packages that declare what to hint and complete, in the order in which a name is looked for. */
export function knownPackages(cwd: string): readonly KnownPackage[] {
  const { files, kernel } = host();
  return packagesKnown(cwd, files.path.dirname(kernel()), files).packages;
}

/** The entry points of these packages that cells import from. */
export const knownEntryPoints = (cwd: string): string[] =>
  knownPackages(cwd).flatMap((one) => entryPoints(one).map(({ name }) => name));

/** A cell that imports what the packages beside the kernel want read ahead: their declarations alone, no code of theirs runs. */
export const warmUpImports = (cwd: string): string =>
  knownPackages(cwd)
    .flatMap(({ name, field }) =>
      (field.warmUp ?? []).map((path) => `import ${JSON.stringify(name + path.slice(1))};`),
    )
    .join(" ");
