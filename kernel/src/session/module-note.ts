/** Message of a cell with `%%module` when its file is written; `saved` is the name under which the old text was kept. */
export function writtenNote(file: string, exported: readonly string[], saved: string | undefined): string {
  // Sorted, as in the namespace of an ES module.
  const names = exported.filter((name) => !["__esModule", "default"].includes(name)).sort();
  const told = names.length > 0 ? `imported ${names.join(", ")}` : "it exports no name";
  const backup = saved === undefined ? "" : `; the old text is in ${saved}`;
  return `${file} is written${backup}; ${told}\n`;
}

/** The error of a module whose top level has thrown. */
export function failedToLoad(path: string, cause: unknown): Error {
  const file = path.replace(/^.*[\\/]/, "");
  const said = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return new Error(`Cannot import ${file}: its top level threw an error: ${said}`, { cause });
}
