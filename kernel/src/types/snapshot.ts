import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { builtinModules, createRequire } from "node:module";
import { basename, join } from "node:path";

/** Where the snapshot of the type service lies, and the key that tells what it was made of. */
const folder = join(__dirname, "..", "snapshot");
const entry = join(__dirname, "main.js");

/**
 * Flags of V8 for making a snapshot and for starting from it, where they must be the same: room for what a first check
 * allocates, which would else start a collection of the whole heap.
 */
export const snapshotFlags = ["--min-semi-space-size=16"] as const;

interface Bundled {
  code: string;
  /** The files of the modules it requires, by specifier; others are loaded from disk when they are needed. */
  modules: Record<string, string>;
}

/** The snapshot that fits this Node and this build, or undefined. */
export function findSnapshot(): string | undefined {
  if (process.env.TURNWISE_SNAPSHOT === "off") return undefined;
  try {
    const { node, file, size } = JSON.parse(readFileSync(join(folder, "types.json"), "utf8")) as Record<
      string,
      unknown
    >;
    const path = join(folder, String(file));
    // A truncated blob would end the process that starts from it.
    return node === nodeKey() && statSync(path).size === size ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the snapshot unless there is one of the same modules. Other kernels may start in the meantime. */
export function makeSnapshot(): "made" | "kept" {
  const bundle = bundleText();
  const key = createHash("sha256")
    .update(nodeKey())
    .update(snapshotFlags.join())
    .update(bundle)
    .digest("hex")
    .slice(0, 16);
  const description = join(folder, "types.json");
  const old = existsSync(description)
    ? (JSON.parse(readFileSync(description, "utf8")) as { key?: string; file?: string })
    : {};
  if (old.key === key && findSnapshot() !== undefined) return "kept";
  mkdirSync(folder, { recursive: true });
  const script = join(folder, `types-${process.pid}.cjs`);
  const file = `types-${key}-${process.pid}.blob`;
  writeFileSync(script, bundle);
  try {
    execFileSync(
      process.execPath,
      [...snapshotFlags, "--snapshot-blob", join(folder, file), "--build-snapshot", script],
      {
        stdio: ["ignore", "ignore", "pipe"],
        // Node warns that it has not verified all of its modules for this use; the tests do.
        env: { ...process.env, NODE_NO_WARNINGS: "1", NODE_OPTIONS: "" },
      },
    );
  } finally {
    rmSync(script, { force: true });
  }
  const { size } = statSync(join(folder, file));
  const unfinished = join(folder, `types-${process.pid}.json`);
  writeFileSync(unfinished, JSON.stringify({ key, node: nodeKey(), file, size }) + "\n");
  renameSync(unfinished, description);
  // A kernel that starts right now may have read the old description: it goes on without a snapshot then.
  if (old.file !== undefined) rmSync(join(folder, basename(old.file)), { force: true });
  return "made";
}

/** A snapshot fits the very build of Node that made it. */
function nodeKey(): string {
  return [process.version, process.arch, process.platform, process.versions.v8].join(" ");
}

/** All modules of the type service in one script: a snapshot is made of one file. */
function bundleText(): string {
  const files = new Map<string, Bundled>();
  collect(entry, files);
  const parts = [...files].map(
    ([file, { code, modules }]) =>
      `files[${JSON.stringify(file)}]=[function(exports,require,module,__filename,__dirname){${code}\n},${JSON.stringify(modules)}];`,
  );
  return `${loader.toString()}\nconst files={};\n${parts.join("\n")}\nloader(files,require)(${JSON.stringify(entry)});\n`;
}

function collect(file: string, files: Map<string, Bundled>): void {
  if (files.has(file)) return;
  const code = readFileSync(file, "utf8");
  const modules: Record<string, string> = {};
  files.set(file, { code, modules });
  // TypeScript itself needs nothing but Node.
  if (basename(file) === "typescript.js") return;
  const { resolve } = createRequire(file);
  for (const [, specifier] of code.matchAll(/^(?:const|var) .*\brequire\("([^"]+)"\)/gm)) {
    if (specifier!.startsWith("node:") || builtinModules.includes(specifier!)) continue;
    const path = resolve(specifier!);
    modules[specifier!] = path;
    collect(path, files);
  }
}

/** Runs inside the bundle: `require` of bundled modules, of Node's own, and of what lies on disk. */
function loader(
  files: Record<string, [(...args: unknown[]) => void, Record<string, string>]>,
  builtin: (name: string) => unknown,
): (file: string) => unknown {
  const loaded: Record<string, { exports: unknown }> = {};
  const load = (file: string): unknown => {
    if (loaded[file]) return loaded[file].exports;
    const module = (loaded[file] = { exports: {} as unknown });
    const [run, modules] = files[file]!;
    const fromDisk = (): NodeJS.Require =>
      (builtin("module") as { createRequire(path: string): NodeJS.Require }).createRequire(file);
    const own = Object.assign(
      (name: string): unknown => {
        if (modules[name] !== undefined) return load(modules[name]);
        try {
          return builtin(name.replace(/^node:/, ""));
        } catch {
          return fromDisk()(name);
        }
      },
      { resolve: (name: string) => fromDisk().resolve(name) },
    );
    run.call(module.exports, module.exports, own, module, file, file.replace(/[/\\][^/\\]*$/, ""));
    return module.exports;
  };
  return load;
}
