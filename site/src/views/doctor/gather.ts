import { hidden } from "turnwise-practice/internal/doctor/hidden";
import type { GivenFile } from "./messages";

/** More files than any run has: a folder of more is one of many runs, or a whole disk. */
const MOST = 20_000;

/** Files that were chosen: those of a folder have its name before theirs. */
export const chosen = (files: readonly File[]): GivenFile[] =>
  files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/**
 * Files and folders that were dropped. Their names must be taken before anything is waited for.
 *
 * @throws {RangeError} if there are more than a run has
 */
export async function dropped(data: DataTransfer): Promise<GivenFile[]> {
  const entries: (FileSystemEntry | File)[] = [];
  for (const item of Array.from(data.items)) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry() ?? item.getAsFile();
    if (entry) entries.push(entry);
  }
  const found: GivenFile[] = [];
  for (const entry of entries) {
    if (entry instanceof File) found.push({ path: entry.name, file: entry });
    else await walk(entry, found);
  }
  return found;
}

async function walk(entry: FileSystemEntry, found: GivenFile[]): Promise<void> {
  if (entry.isFile) {
    if (found.length >= MOST) {
      throw new RangeError(
        `Cannot read this folder: it must hold at most ${MOST} files, and holds more. Drop the folder of one run.`,
      );
    }
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ path: entry.fullPath.slice(1), file });
    return;
  }
  if (hidden.test(entry.name)) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives at most a hundred entries at once, and none when it is done.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const one of some) await walk(one, found);
  }
}

const topOf = (path: string): string => path.split("/")[0]!;

/** Both lots of files. One whose name at the top is taken gets a number, as files that are saved twice do. */
export function mergeObjects(before: readonly GivenFile[], added: readonly GivenFile[]): GivenFile[] {
  const taken = new Set(before.map(({ path }) => topOf(path)));
  const names = new Map<string, string>();
  for (const top of new Set(added.map(({ path }) => topOf(path)))) {
    let name = top;
    for (let n = 2; taken.has(name); n++) name = top.replace(/(\.[^.]*)?$/, ` (${n})$1`);
    taken.add(name);
    names.set(top, name);
  }
  return [
    ...before,
    ...added.map((one) => ({
      ...one,
      path: names.get(topOf(one.path))! + one.path.slice(topOf(one.path).length),
    })),
  ];
}
