import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { builtinModules, createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { replaceFile } from "../../bootstrap/replace-file.cjs";
import { packagesOnDisk } from "../help/packages-on-disk.js";
import {
  describedIn,
  findSnapshot,
  installationFolder,
  nodeKey,
  typeServiceFlags,
  snapshotFolders,
  stampOf,
  type SnapshotDescription,
} from "./snapshot.js";

const entry = join(__dirname, "main.js");
const watcher = join(__dirname, "snapshot-watch.js");
// By then whoever made them has finished or was killed.
const leftOverMs = 600_000;

interface Bundled {
  code: string;
  /** The files of the modules it requires, by specifier; others are loaded from disk when they are needed. */
  modules: Record<string, string>;
}

/**
 * Makes the snapshot, unless there is one of the same modules. Other kernels may start in the meantime. `main` is the module that it
 * starts from: that of the type service.
 *
 * @throws {Error} if none of the folders can be written, or if Node cannot make a snapshot
 */
export function makeSnapshot(
  folders: readonly string[] = snapshotFolders,
  main: string = entry,
): "made" | "kept" {
  const files = bundled(main);
  const bundle = bundleText(files, main);
  const key = createHash("sha256")
    .update([nodeKey(), ...typeServiceFlags].join())
    .update(bundle)
    .digest("hex")
    .slice(0, 16);
  const modules = [...files.keys()].map(stampOf);
  if (folders.some((folder) => describedIn(folder)?.key === key && findSnapshot([folder]))) return "kept";
  const folder = writable(folders);
  const old = describedIn(folder);
  const script = join(folder, `types-${process.pid}.cjs`);
  const file = `types-${key}-${process.pid}.blob`;
  // In place: a file of this process alone.
  writeFileSync(script, bundle);
  try {
    const blob = join(folder, file);
    execFileSync(
      process.execPath,
      [...typeServiceFlags, "--snapshot-blob", blob, "--build-snapshot", script],
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
  describe(folder, { key, node: nodeKey(), file, size, modules, installation: installationFolder });
  // A kernel that is just starting may have read the old description; it then goes on without a snapshot.
  if (old) rmSync(join(folder, basename(old.file)), { force: true });
  removeLeftOver(folder, file);
  if (folder === snapshotFolders[1]) removeOrphans(dirname(folder));
  return "made";
}

function describe(folder: string, description: SnapshotDescription): void {
  replaceFile(join(folder, "types.json"), JSON.stringify(description) + "\n");
}

function writable(folders: readonly string[]): string {
  for (const [i, folder] of folders.entries()) {
    try {
      mkdirSync(folder, { recursive: true });
      const probe = join(folder, `types-${process.pid}.json`);
      // In place: a file of this process alone.
      writeFileSync(probe, "");
      rmSync(probe);
      return folder;
    } catch (error) {
      if (i === folders.length - 1) throw error;
    }
  }
  throw new Error("Cannot make a snapshot: there must be a folder for it.");
}

/** Removes the leftovers of processes that were killed while making a snapshot. */
function removeLeftOver(folder: string, current: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^types-.*\.(cjs|blob|json)$/.test(name) || name === current) continue;
    const path = join(folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && Date.now() - mtimeMs > leftOverMs) rmSync(path, { force: true });
  }
}

/** Removes the snapshots of installations that are gone: pip and npm know nothing of the user's cache. */
export function removeOrphans(cache: string): void {
  for (const name of readdirSync(cache)) {
    const { installation } = describedIn(join(cache, name)) ?? {};
    if (installation !== undefined && statSync(installation, { throwIfNoEntry: false }) === undefined)
      rmSync(join(cache, name), { recursive: true, force: true });
  }
}

/** A module and all that it requires, by file. */
function bundled(main: string): Map<string, Bundled> {
  const files = new Map<string, Bundled>();
  collect(main, files);
  return files;
}

/** All of them in one script: a snapshot is made of one file. */
function bundleText(files: Map<string, Bundled>, main: string): string {
  const parts = [...files].map(
    ([file, { code, modules }]) =>
      `files[${JSON.stringify(file)}]=[function(exports,require,module,__filename,__dirname){${placed(file, code)}\n},${JSON.stringify(modules)}];`,
  );
  return `${loader.toString()}\nconst files={};\n${parts.join("\n")}\nloader(files,require)(${JSON.stringify(main)});\n`;
}

/** Our own modules ask where they are when they need it: a copied snapshot is elsewhere by then. */
function placed(file: string, code: string): string {
  if (basename(file) === "typescript.js") return code;
  return code.replace(/\b__(filename|dirname)\b/g, "module.$1()");
}

function collect(file: string, files: Map<string, Bundled>): void {
  if (files.has(file)) return;
  const modules: Record<string, string> = {};
  // TypeScript itself needs nothing but Node.
  if (basename(file) === "typescript.js") {
    files.set(file, { code: readFileSync(file, "utf8"), modules });
    return;
  }
  const code = readFileSync(file, "utf8");
  files.set(file, { code, modules });
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
  const loaded: Record<string, { exports: unknown; filename(): string; dirname(): string }> = {};
  const load = (file: string): unknown => {
    if (loaded[file]) return loaded[file].exports;
    const filename = (): string => {
      const { turnwiseMoved: moved } = globalThis as { turnwiseMoved?: (path: string) => string };
      return moved ? moved(file) : file;
    };
    const dirname = (): string => filename().replace(/[/\\][^/\\]*$/, "");
    const module = (loaded[file] = { exports: {} as unknown, filename, dirname });
    const [run, modules] = files[file]!;
    const fromDisk = (): NodeJS.Require =>
      (builtin("module") as { createRequire(path: string): NodeJS.Require }).createRequire(filename());
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

/**
 * Lets the packages that were installed with the kernel do what makes them faster on this machine, such as compiling, as `turnwise
 * install` does: an installer such as pip runs nothing of theirs.
 */
export function preparePackages(
  packages: readonly { readonly file: string }[] = packagesOnDisk().packages,
): void {
  for (const { file } of packages) {
    const { jupyterKernel } = JSON.parse(readFileSync(file, "utf8")) as {
      jupyterKernel?: { prepare?: unknown };
    };
    if (typeof jupyterKernel?.prepare !== "string") continue;
    const module = JSON.stringify(join(dirname(file), jupyterKernel.prepare));
    // It has the kernel's pipe, too: what it starts must not outlive the kernel.
    const watch = `new (require("node:worker_threads").Worker)(${JSON.stringify(watcher)}).unref()`;
    execFileSync(process.execPath, ["-e", `${watch}; void require(${module}).prepare()`], {
      stdio: ["inherit", "ignore", "ignore"],
    });
  }
}

// As a program: run after a build, and by a kernel that had to start without a snapshot and must not be outlived.
if (require.main === module) {
  try {
    const forKernel = process.argv[2] === "--for-kernel";
    if (forKernel) new Worker(watcher).unref();
    makeSnapshot();
    if (forKernel) preparePackages();
  } catch (error) {
    // Kernels also start without it, only more slowly.
    process.stderr.write(`Cannot make the snapshot of the type service: ${(error as Error).message}\n`);
  }
}
