import { namesOfPython } from "./python-advice.js";
import { host } from "./host.js";

/** Node's own modules in the order in which a name is looked for: of two that have it, the one that cells want. */
const modules = [
  ...[
    "fs/promises",
    "fs",
    "path",
    "os",
    "url",
    "util",
    "events",
    "child_process",
    "worker_threads",
    "crypto",
  ],
  ...["stream", "readline", "zlib", "http", "https", "net", "dns", "perf_hooks", "vm", "v8", "assert"],
];

/** Replacements of names of a page, of Deno, of Python or of xeus-javascript that Node does not have, or has with another meaning. */
const ofOthers: Record<string, string> = {
  self: "Write globalThis",
  window: "Write globalThis; a notebook's cells run in no page",
  ijs: "Write display(value), html(text), svg(text) or md(text)",
  pprint: "Write display(value)",
  ...namesOfPython,
  Temporal: `Install it: %install temporal-polyfill, and import { Temporal } from "temporal-polyfill"`,
  document: `Make one: %install linkedom, and const { document } = parseHTML("<html></html>") with parseHTML from "linkedom"`,
  Worker: `Import it: import { Worker } from "node:worker_threads". It is Node's: worker.on("message", (value) => ...), and in its file parentPort instead of self`,
};

/** Advice for a name of a page or of Deno; undefined for any other. */
export const adviceForName = (name: string): string | undefined =>
  Object.hasOwn(ofOthers, name) ? ofOthers[name] : undefined;

// Short words such as "on" and "get" are rather a slip than one of Node's.
const shortest = 4;

/** The import that makes a name of Node known, or the module of that name; undefined if there is none. */
export function nodeImport(name: string): string | undefined {
  if (modules.includes(name)) return `import * as ${name} from "node:${name}"`;
  if (name.length < shortest) return undefined;
  const found = modules.find((one) => host().builtinNames(one).includes(name));
  return found && `import { ${name} } from "node:${found}"`;
}

/** The imports of Node's modules and of their names that begin with these letters. */
export function nodeImports(typed: string): [name: string, statement: string][] {
  const whole = modules.filter((one) => !one.includes("/") && one.startsWith(typed));
  const names = modules.flatMap((one) =>
    host()
      .builtinNames(one)
      .filter((name) => name.startsWith(typed) && name.length >= shortest)
      .map((name): [string, string] => [name, `import { ${name} } from "node:${one}"`]),
  );
  return [...whole.map((one): [string, string] => [one, `import * as ${one} from "node:${one}"`]), ...names];
}
