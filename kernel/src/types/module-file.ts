import type { ModuleMagic } from "../magics/module-line.js";
import type { Folder } from "./host.js";

const header = /^\s*\/\/ Written by the cell "%%module [^"\n]*"[^\n]*\[([0-9a-f]{12})\]\r?\n/;

/** The text of the file: the cell, with a comment in place of the magic, so that all lines keep their numbers. */
export function moduleText({ file, source, line }: ModuleMagic, disk: Pick<Folder, "digest">): string {
  const lines = source.split("\n");
  const body = lines.slice(line + 1).join("\n");
  lines[line] =
    `// Written by the cell "%%module ${file}"; an edit here is seen at the next cell. [${digest(body, disk)}]`;
  return lines.join("\n");
}

/**
 * Why a text must not be written there; undefined if it may. Only a file that a cell has written, and that nobody has edited
 * since, is replaced without being asked to.
 */
export function refusal(
  folder: string,
  { file, force }: ModuleMagic,
  text: string,
  disk: Folder,
): string | undefined {
  const { join, dirname, basename } = disk.path;
  const path = join(folder, file);
  const outside = leavesFolder(folder, dirname(path), disk);
  if (outside !== undefined) {
    return `Cannot write ${file}: its folder must be in that of the notebook, but it is a link to ${outside}.`;
  }
  const kind = disk.kind(path);
  if (kind === undefined) return undefined;
  if (kind !== "file") {
    const found = kind === "other" ? "no plain file" : `a ${kind}`;
    return `Cannot write ${file}: only a plain file may be replaced, but it is ${found}.`;
  }
  if (force) return undefined;
  const old = disk.read(path) ?? "";
  const written = header.exec(old);
  const replace = `replace it with "%%module ${file} --force", which keeps the old text in ${basename(file)}.bak`;
  if (!written) {
    const stem = file.replace(/^\.\//, "").replace(/\.ts$/, "");
    return (
      `Cannot write ${file}: no cell with %%module has written it before, so it is ` +
      `kept. Choose another name, import it as it is (import * as mine from "./${stem}"), or ${replace}.`
    );
  }
  if (digest(bodyOf(old), disk) === written[1] || bodyOf(old) === bodyOf(text)) return undefined;
  return (
    `Cannot write ${file}: it was edited on disk since its cell wrote it, so it is kept. ` +
    `Copy its text into the cell, or ${replace}.`
  );
}

/** The real folder, if it lies outside the notebook's. */
function leavesFolder(folder: string, target: string, disk: Folder): string | undefined {
  const { dirname, relative, sep } = disk.path;
  let existing = target;
  while (disk.kind(existing) === undefined && existing !== dirname(existing)) existing = dirname(existing);
  const real = disk.real(existing);
  const way = relative(disk.real(folder), real);
  return way === ".." || way.startsWith(`..${sep}`) ? real : undefined;
}

function bodyOf(text: string): string {
  return text.slice(header.exec(text)?.[0].length ?? 0);
}

function digest(body: string, disk: Pick<Folder, "digest">): string {
  return disk.digest(body.replaceAll("\r\n", "\n")).slice(0, 12);
}
