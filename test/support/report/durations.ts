import fs from "node:fs";
import path from "node:path";

/** Milliseconds that each compiled file of tests took. */
export type Durations = Record<string, number>;

/** What this machine measured last. */
const ownFile = path.join(".turnwise", "test-durations.json");
/** Seconds by source, measured on two quiet cores and committed, so that a clean clone can start the longest jobs first. */
const committedFile = path.join("test", "durations.json");

function read(file: string): Durations {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Durations;
  } catch {
    return {};
  }
}

const compiledOf = (source: string): string => `build/test/${source.replace(/\.ts$/, ".js")}`;
const sourceOf = (compiled: string): string => compiled.replace(/^build\/test\//, "").replace(/\.js$/, ".ts");

/** The committed durations, overridden by those of this machine. */
export function readDurations(): Durations {
  const committed = Object.entries(read(committedFile)).map(([source, s]) => [compiledOf(source), 1000 * s]);
  return { ...(Object.fromEntries(committed) as Durations), ...read(ownFile) };
}

/** Keeps durations for this machine's next estimate. */
export function storeDurations(taken: Durations): void {
  try {
    fs.mkdirSync(path.dirname(ownFile), { recursive: true });
    fs.writeFileSync(ownFile, JSON.stringify({ ...read(ownFile), ...taken }, null, 1) + "\n");
  } catch {
    // Only the next estimate misses them.
  }
}

/** Writes test/durations.json: what was measured now, and the known values of files that still exist and did not run. */
export function commitDurations(taken: Durations): void {
  const exists = (source: string): boolean => fs.existsSync(path.join("test", source));
  const known = Object.entries(read(committedFile)).filter(([source]) => exists(source));
  const now = Object.entries(taken).map(([file, ms]) => [sourceOf(file), Math.round(ms / 100) / 10] as const);
  const all = Object.entries({ ...Object.fromEntries(known), ...Object.fromEntries(now) });
  const sorted = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  fs.writeFileSync(committedFile, JSON.stringify(sorted, null, 1) + "\n");
}
