import { appendFile, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "../../bootstrap/replace-file.cjs";
import { History, type HistoryEntry } from "./history.js";

const kept = 1_000;
/** A file this much longer than what is read of it is cut down to that. */
const longest = 2 * kept;

/**
 * A history that outlives the kernel: one JSON line `[session, line, source]` for each cell.
 *
 * The environment variable `TURNWISE_HISTORY` names the file; without it, the history is in memory only. A file that
 * cannot be read or written is no reason not to compute.
 */
export function openHistory(path = process.env.TURNWISE_HISTORY): History {
  if (path === undefined || path === "") return new History();
  const entries = read(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch {
    return new History(entries);
  }
  return new History(entries, undefined, (entry) => {
    appendFile(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 }, () => undefined);
  });
}

function read(path: string): HistoryEntry[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  const entries: HistoryEntry[] = [];
  const lines = text.trimEnd().split("\n");
  const newest = lines.slice(-kept);
  if (lines.length > longest) replaceWith(newest, path);
  for (const line of newest) {
    try {
      const entry = JSON.parse(line) as unknown;
      if (isEntry(entry)) entries.push(entry);
    } catch {
      // Two kernels may have written at once: a torn line is skipped.
    }
  }
  return entries;
}

/** In one step, so that another kernel finds the old lines or the new ones. */
function replaceWith(lines: readonly string[], path: string): void {
  try {
    replaceFile(path, `${lines.join("\n")}\n`, 0o600);
  } catch {
    // It stays long.
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    typeof value[0] === "number" &&
    typeof value[1] === "number" &&
    typeof value[2] === "string"
  );
}
