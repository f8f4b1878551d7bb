import fs from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import path from "node:path";

/**
 * A compiled module and all that it requires as one script for a page, which sets `globalThis[name]` to its exports.
 *
 * Node's own modules are left out: using one throws.
 */
export function bundle(entry: string, name: string): string {
  const sources = new Map<string, string>();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (sources.has(file)) continue;
    const from = createRequire(file);
    const places: Record<string, string> = {};
    const text = fs.readFileSync(file, "utf8");
    for (const [, id] of text.matchAll(/\brequire\(\s*["']([^"']+)["']\s*\)/g)) {
      const place = isBuiltin(id!) ? undefined : forPages(from, id!);
      if (place === undefined) continue;
      places[id!] = place;
      queue.push(place);
    }
    const body = file.endsWith(".json") ? `module.exports = ${text}` : text;
    sources.set(
      file,
      `${JSON.stringify(file)}: [function (module, exports, require) {${body}\n}, ${JSON.stringify(places)}]`,
    );
  }
  return `(() => {
const modules = {${[...sources.values()].join(",\n")}};
const loaded = {};
const missing = (id) => new Proxy(
  () => {
    throw new Error("Cannot use " + id + " as a page has no such module");
  },
  { get: (_, key) => (key === Symbol.toPrimitive ? undefined : missing(id + "." + String(key))) },
);
const load = (file) => {
  if (loaded[file]) return loaded[file].exports;
  const module = (loaded[file] = { exports: {} });
  const [run, places] = modules[file];
  run.call(module.exports, module, module.exports, (id) => {
    return places[id] ? load(places[id]) : missing(id);
  });
  return module.exports;
};
globalThis[${JSON.stringify(name)}] = load(${JSON.stringify(entry)});
})();`;
}

/** Packages that have a build for pages tell it as `unpkg`. */
function forPages(from: NodeJS.Require, id: string): string | undefined {
  try {
    const file = from.resolve(id);
    const inside = path.join("node_modules", id);
    if (id.startsWith(".") || !file.includes(inside + path.sep)) return file;
    const folder = file.slice(0, file.lastIndexOf(inside) + inside.length);
    const { unpkg } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) as {
      unpkg?: string;
    };
    return unpkg ? path.join(folder, unpkg) : file;
  } catch {
    return undefined;
  }
}
