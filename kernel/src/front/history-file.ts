import { appendFile, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "../../bootstrap/replace-file.cjs";
import { History, type HistoryEntry } from "./history.js";

const kept = 1_000;
/** A file is cut down only if all but so many of its lines are cells; the others were torn as two kernels wrote at once. */
const mostTorn = 0.1;
/** A file this much longer than what is read of it is cut down to that. */
const longest = 2 * kept;

/**
 * A history that outlives the kernel: one JSON line `[session, line, source]` for each cell.
 *
 * The environment variable `TURNWISE_HISTORY` names the file; without it, the history is in memory only. A file that
 * cannot be read or written is no reason not to compute, and one that holds something else stays as it is.
 *
 * @param warn told why a file is not used
 */
export function openHistory(
  path = process.env.TURNWISE_HISTORY,
  warn: (text: string) => void = () => undefined,
): History {
  if (path === undefined || path === "") return new History();
  const entries = read(path);
  if (entries === undefined) {
    warn(
      `Cannot keep the history in ${path}: each line of that file must be a cell, [session, line, source], but it holds something else, ` +
        "and was left alone. TURNWISE_HISTORY names the file.",
    );
    return new History();
  }
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch {
    return new History(entries);
  }
  return new History(entries, undefined, (entry) => {
    appendFile(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 }, () => undefined);
  });
}

/** The newest cells of a file; undefined if it is no history. */
function read(path: string): HistoryEntry[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  if (text.trim() === "") return [];
  const lines = text.trimEnd().split("\n");
  const found = lines.map(entryOf);
  const entries = found.filter((entry) => entry !== undefined);
  if (!found[0] && 2 * entries.length < lines.length) return undefined;
  const isHistory = lines.length - entries.length <= mostTorn * lines.length;
  if (lines.length > longest && isHistory) replaceWith(lines.slice(-kept), path);
  return entries.slice(-kept);
}

/** The cell of a line; undefined if there is none: two kernels may have written at once. */
function entryOf(line: string): HistoryEntry | undefined {
  try {
    const entry = JSON.parse(line) as unknown;
    return isEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
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
