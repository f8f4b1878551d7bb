// As in an editor: TypeScript wins over a compiled neighbor.
const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"];

/** The file for a path that may lack its extension, name a folder, or name the `.js` of a `.ts` file. */
export function fileFor(path: string, isFile: (path: string) => boolean): string | undefined {
  const typed = path.replace(/\.([cm]?)jsx?$/, ".$1ts");
  const besides = extensions.map((extension) => path + extension);
  const inside = extensions.map((extension) => `${path.replace(/[\\/]$/, "")}/index${extension}`);
  return [path, typed, ...besides, ...inside].find(isFile);
}
