import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

// Where a snapshot of the type service may lie: beside the build or, where that is read-only, in the user's cache.
const build = join(__dirname, "..");
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const installation = createHash("sha256").update(build).digest("hex").slice(0, 16);
export const snapshotFolders: readonly string[] = [
  join(build, "snapshot"),
  join(cache, "turnwise", installation),
];

/**
 * V8 flags of the type service, the same for making a snapshot and for starting from it. A first check has room for
 * what it allocates, which would otherwise trigger a full collection; later the heap grows by at most half before
 * it is collected, as each check leaves some megabytes behind and the memory of a long notebook should stay flat.
 */
export const typeServiceFlags = ["--min-semi-space-size=16", "--heap-growing-percent=50"] as const;

/** What `types.json` says about the snapshot beside it. */
export interface SnapshotDescription {
  /** Digest of everything it was made from. */
  key: string;
  node: string;
  file: string;
  size: number;
  /** The modules in it, each with its size and the time of its last change. */
  modules: [path: string, size: number, changed: number][];
}

/** The snapshot that fits this Node and this build, or undefined. */
export function findSnapshot(folders: readonly string[] = snapshotFolders): string | undefined {
  if (process.env.TURNWISE_SNAPSHOT === "off") return undefined;
  return folders
    .map((folder) => {
      const description = describedIn(folder);
      return description && fits(folder, description) ? join(folder, description.file) : undefined;
    })
    .find((path) => path !== undefined);
}

/** The description of the snapshot in a folder, whether it fits or not. */
export function describedIn(folder: string): SnapshotDescription | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "types.json"), "utf8")) as SnapshotDescription;
  } catch {
    return undefined;
  }
}

/** A snapshot fits the very build of Node that made it. */
export function nodeKey(): string {
  return [process.version, process.arch, process.platform, process.versions.v8].join(" ");
}

/** A module with its size and time, which show whether it has changed. */
export function stampOf(path: string): [path: string, size: number, changed: number] {
  const { size, mtimeMs } = statSync(path);
  return [path, size, mtimeMs];
}

function fits(folder: string, { node, file, size, modules }: SnapshotDescription): boolean {
  try {
    return (
      node === nodeKey() &&
      // A truncated blob would crash the process that starts from it.
      statSync(join(folder, file)).size === size &&
      modules.every((module) => stampOf(module[0]).join() === module.join())
    );
  } catch {
    return false;
  }
}
