import { readField, type JupyterKernelField, type Manifest } from "./declared.js";

/** Source of package.json files: the disk, or the packed files of a page. */
export interface PackageFiles {
  read(path: string): string | undefined;
  /** The names of the folders in a folder; none where there is no folder. */
  folders(path: string): readonly string[];
  readonly path: {
    join(...parts: string[]): string;
    dirname(path: string): string;
    basename(path: string): string;
  };
}

/** A package that declares the field `jupyterKernel`. */
export interface KnownPackage {
  readonly name: string;
  /** Its package.json. */
  readonly file: string;
  readonly manifest: Manifest;
  readonly field: JupyterKernelField;
}

/** The packages that cells know, and what is wrong in what they declare. */
export interface KnownPackages {
  readonly packages: readonly KnownPackage[];
  readonly problems: readonly string[];
}

/**
 * The packages that declare the field `jupyterKernel`, each after those that it depends on: dependencies of the project that the notebook
 * is in, and of the project that the kernel is installed in. No code of theirs is run.
 *
 * @param kernel the folder of the kernel's package
 */
export function knownPackages(
  folder: string | undefined,
  kernel: string,
  files: PackageFiles,
): KnownPackages {
  const found = new Map<string, KnownPackage | undefined>();
  const problems: string[] = [];
  const visit = (name: string, from: string): void => {
    if (found.has(name) || name === "turnwise-kernel") return;
    const file = manifestFile(name, from, files);
    const manifest = file === undefined ? undefined : readManifest(file, files);
    if (file === undefined || manifest?.jupyterKernel === undefined) return;
    // A package that its dependencies depend on in turn is looked at once.
    found.set(name, undefined);
    for (const one of Object.keys(manifest.dependencies ?? {})) visit(one, files.path.dirname(file));
    const read = readField(manifest);
    problems.push(...read.problems);
    found.delete(name);
    found.set(name, { name, file, manifest, field: read.field });
  };
  const project = folder === undefined ? undefined : projectAt(folder, files);
  if (project) for (const name of dependencies(project.manifest)) visit(name, project.folder);
  const beside = besideKernel(kernel, files);
  for (const name of beside.names) visit(name, beside.from);
  return { packages: [...found.values()].filter((one) => one !== undefined), problems };
}

/** The names of what is installed with the kernel, and the folder from which they are found. */
function besideKernel(kernel: string, files: PackageFiles): { names: readonly string[]; from: string } {
  const { dirname, basename, join } = files.path;
  const holder = dirname(kernel);
  if (basename(holder) !== "node_modules") {
    // A checkout: the kernel is a workspace.
    const checkout = projectAt(holder, files);
    const folders = checkout?.manifest.workspaces ?? [];
    const names = folders.flatMap(
      (one) => readManifest(join(checkout!.folder, one, "package.json"), files)?.name ?? [],
    );
    return { names, from: checkout?.folder ?? holder };
  }
  const project = readManifest(join(dirname(holder), "package.json"), files);
  if (!project) return { names: installedIn(holder, files), from: dirname(holder) };
  return {
    names: [...dependencies(project), ...Object.keys(project.devDependencies ?? {})],
    from: dirname(holder),
  };
}

/** All packages of a node_modules folder: where no project lists them, somebody has installed each of them by name. */
function installedIn(folder: string, files: PackageFiles): string[] {
  return files.folders(folder).flatMap((name) => {
    if (name.startsWith(".")) return [];
    if (!name.startsWith("@")) return [name];
    return files.folders(files.path.join(folder, name)).map((one) => `${name}/${one}`);
  });
}

function dependencies({ dependencies = {}, optionalDependencies = {} }: Manifest): string[] {
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
}

/** The nearest folder from this one up that has a package.json. */
function projectAt(folder: string, files: PackageFiles): { folder: string; manifest: Manifest } | undefined {
  const manifest = readManifest(files.path.join(folder, "package.json"), files);
  if (manifest) return { folder, manifest };
  const above = files.path.dirname(folder);
  return above === folder ? undefined : projectAt(above, files);
}

/** The package.json of a package, as Node finds it from a folder. */
function manifestFile(name: string, folder: string, files: PackageFiles): string | undefined {
  const file = files.path.join(folder, "node_modules", name, "package.json");
  if (files.read(file) !== undefined) return file;
  const above = files.path.dirname(folder);
  return above === folder ? undefined : manifestFile(name, above, files);
}

function readManifest(file: string, files: PackageFiles): Manifest | undefined {
  const text = files.read(file);
  try {
    const manifest = text === undefined ? undefined : (JSON.parse(text) as unknown);
    return typeof manifest === "object" && manifest !== null ? (manifest as Manifest) : undefined;
  } catch {
    // It is just being written, or broken: npm reports it.
    return undefined;
  }
}

/** An entry point that cells import from, such as `turnwise-kernel`. */
export interface EntryPoint {
  readonly name: string;
  /** Its declarations, as a path in the package. */
  readonly types: string;
}

/** The entry points of a package that have types and that cells may import, the root first. */
export function entryPoints({ name, manifest, field }: KnownPackage): EntryPoint[] {
  const { types = "index.d.ts", exports = {} } = manifest;
  const { internal = [] } = field;
  const entries = Object.entries(exports).flatMap(([path, entry]) =>
    typeof entry === "object" && entry?.types !== undefined ? [[path, entry.types] as const] : [],
  );
  return (entries.length > 0 ? entries : [[".", types] as const])
    .filter(([path]) => !path.includes("*") && !internal.includes(path))
    .map(([path, entry]) => ({ name: name + path.slice(1), types: entry }));
}
