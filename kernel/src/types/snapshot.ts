import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";

// Where a snapshot of the type service may lie: beside the build or, where that is read-only, in the user's cache.
const build = join(__dirname, "..");
export const installationFolder: string = build;
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const installation = createHash("sha256").update(build).digest("hex").slice(0, 16);
export const snapshotFolders: readonly string[] = [
  join(build, "snapshot"),
  join(cache, "turnwise", installation),
];

/**
 * V8 flags of the type service, the same for making a snapshot and for starting from it. The heap grows by at most a fifth before
 * it is collected, as each check leaves some megabytes behind and the memory of a long notebook should stay flat; so should what a check itself
 * needs, which fits into a small nursery as well. V8 keeps the
 * hashes that strings have in the snapshot: computing them again takes a sixth of the start, and guards servers against names that
 * are chosen to collide, which nobody does to their own notebook.
 */
export const typeServiceFlags = [
  "--heap-growing-percent=20",
  "--max-semi-space-size=2",
  "--no-rehash-snapshot",
] as const;

/** A module with its size, the time of its last change and a digest of its text, which counts where the time differs. */
export type ModuleStamp = [path: string, size: number, changed: number, digest: string];

/** Description of the snapshot in `types.json` next to it. */
export interface SnapshotDescription {
  /** Digest of everything it was made from. */
  key: string;
  node: string;
  file: string;
  size: number;
  /** The modules in it, by their way from the build, so that a copy of all of them finds its own. */
  modules: ModuleStamp[];
  /** The folder of the installation that it is for, when it was made. */
  installation?: string;
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

/** The stamp of a module as it is now. */
export function stampOf(path: string): ModuleStamp {
  const { size, mtimeMs } = statSync(path);
  return [relative(build, path), size, mtimeMs, digestOf(readFileSync(path))];
}

/** A short digest of a text or of bytes. */
export function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

function isSame([path, size, changed, digest]: ModuleStamp): boolean {
  const file = join(build, path);
  const now = statSync(file);
  return now.size === size && (now.mtimeMs === changed || digestOf(readFileSync(file)) === digest);
}

function fits(folder: string, { node, file, size, modules }: SnapshotDescription): boolean {
  try {
    return (
      node === nodeKey() &&
      // A truncated blob would crash the process that starts from it.
      statSync(join(folder, file)).size === size &&
      modules.every(isSame)
    );
  } catch {
    return false;
  }
}
