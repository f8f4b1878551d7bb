import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import type { KnownPackages, PackageFiles } from "./known-packages.js";
import { knownPackages } from "./known-packages.js";

const files: PackageFiles = {
  path,
  read(file) {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  },
  folders(folder) {
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
