import fs from "node:fs";
import path from "node:path";

/** A command that an installed package declares. */
export interface DeclaredCommand {
  readonly summary: string;
  /** The module that runs it. */
  readonly file: string;
  readonly package: string;
}

/** The commands that can be run, and what is wrong in what packages declare. */
export interface DeclaredCommands {
  readonly commands: ReadonlyMap<string, DeclaredCommand>;
  readonly problems: readonly string[];
}

interface Manifest {
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly optionalDependencies?: object;
  readonly jupyterKernel?: { readonly commands?: unknown };
}

/** Packages with commands that come first. They are found without being listed by a project: they are installed with this package. */
const first = ["turnwise", "turnwise-kernel", "turnwise-practice", "turnwise-course"];
const here = path.resolve(__dirname, "..", "..");

/**
 * The commands in `jupyterKernel.commands` of the packages that the project of this folder depends on. No module of theirs is loaded. Of
 * two commands with one name, the first counts.
 */
export function declaredCommands(root: string): DeclaredCommands {
  const commands = new Map<string, DeclaredCommand>();
  const problems: string[] = [];
  for (const name of new Set([...first, ...projectDependencies(root)])) {
    const folder = folderOf(name, root);
    const declared = folder === undefined ? undefined : readManifest(folder)?.jupyterKernel?.commands;
    if (folder === undefined || declared === undefined) continue;
    const entries = isObject(declared) ? Object.entries(declared) : [["", declared] as const];
    for (const [command, value] of entries) {
      const { summary, module } = (isObject(value) ? value : {}) as { summary?: unknown; module?: unknown };
      const isCommand = typeof summary === "string" && typeof module === "string" && isInside(module);
      if (!isCommand || !/^[a-z][a-z0-9-]*$/.test(command)) {
        const where = ["jupyterKernel", "commands", command].filter((part) => part !== "").join(".");
        problems.push(
          `Cannot use "${where}" in the package.json of ${name}: it must map the lower-case name of the command to { "summary": text, "module": "./..." }, ` +
            `got ${JSON.stringify(value)}.`,
        );
      } else if (!commands.has(command))
        commands.set(command, { summary, file: path.join(folder, module), package: name });
    }
  }
  return { commands, problems };
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isInside = (module: string): boolean => module.startsWith("./") && !module.split("/").includes("..");

function projectDependencies(folder: string): string[] {
  const manifest = readManifest(folder);
  const above = path.dirname(folder);
  if (!manifest) return above === folder ? [] : projectDependencies(above);
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = manifest;
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
}

/** The folder of a package: the one of the project, or the one that was installed with this command. */
function folderOf(name: string, root: string): string | undefined {
  if (name === "turnwise") return here;
  return installed(name, root) ?? installed(name, here);
}

function installed(name: string, from: string): string | undefined {
  const folder = path.join(from, "node_modules", name);
  if (fs.existsSync(path.join(folder, "package.json"))) return fs.realpathSync(folder);
  const above = path.dirname(from);
  return above === from ? undefined : installed(name, above);
}

function readManifest(folder: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) as unknown;
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}
