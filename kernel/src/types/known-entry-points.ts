import { entryPoints, knownPackages, type Manifest } from "../help/known-packages.js";
import type { Find } from "./declared-exports.js";
import { host } from "./host.js";

/** The entry points of the packages that cells know, in the order in which a name is looked for. */
export function knownEntryPoints(cwd: string, find: Find): string[] {
  return knownPackages.flatMap((name) => {
    const manifest = manifestOf(name, cwd, find);
    return manifest === undefined ? [] : entryPoints(manifest).map((entry) => entry.name);
  });
}

function manifestOf(name: string, cwd: string, find: Find): Manifest | undefined {
  const { files } = host();
  const { path } = files;
  const main = find(name, path.join(cwd, "cell.ts"));
  if (main === undefined) return undefined;
  for (let folder = path.dirname(main); path.dirname(folder) !== folder; folder = path.dirname(folder)) {
    const text = files.read(path.join(folder, "package.json"));
    if (text === undefined) continue;
    const manifest = JSON.parse(text) as Manifest;
    return manifest.name === name ? manifest : undefined;
  }
  return undefined;
}
