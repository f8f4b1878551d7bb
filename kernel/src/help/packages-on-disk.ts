import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import type { KnownPackages, PackageFiles } from "./known-packages.js";
import { knownPackages } from "./known-packages.js";

const files: PackageFiles = {
  path,
  // Asked before it is read: a debugger that stops at errors stops at caught ones as well, for a moment each.
  read(file) {
    if (!existsSync(file)) return undefined;
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  },
  folders(folder) {
    if (!existsSync(folder)) return [];
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
};

/** The packages that declare something to the kernel, from a notebook's folder; without one, those beside the kernel. */
export function packagesOnDisk(folder?: string): KnownPackages {
  return knownPackages(folder, path.resolve(__dirname, "..", ".."), files);
}
