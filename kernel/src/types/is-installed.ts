import { host } from "./host.js";

/** Whether code in a folder finds a package. */
export function isInstalled(name: string, cwd: string): boolean {
  const { files } = host();
  const { join, dirname } = files.path;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (files.exists(join(folder, "node_modules", name, "package.json"))) return true;
    if (dirname(folder) === folder) return false;
  }
}
