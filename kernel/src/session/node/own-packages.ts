import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { packagesOnDisk } from "../../help/packages-on-disk.js";
import { installHint } from "../../types/install-hint.js";

let own: readonly string[] | undefined;

/** Packages that a notebook finds from anywhere, like a program that was installed with its own modules. */
function ownPackages(): readonly string[] {
  return (own ??= [...packagesOnDisk().packages.map(({ name }) => name), "turnwise-kernel", "tslab"]);
}

/** The package of a specifier, without the path in it. */
export function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0]!;
}

/** Whether a module may be taken from beside the kernel. Of any other package a notebook has the one that is installed for it, or none. */
export const isOwnPackage = (specifier: string): boolean => ownPackages().includes(packageName(specifier));

/** `require` of a file or a notebook, which finds the kernel's own packages as well. */
export function withOwnPackages(near: NodeJS.Require): NodeJS.Require {
  const own = createRequire(__filename);
  const chosen = (specifier: string): NodeJS.Require => {
    if (!isOwnPackage(specifier)) return near;
    try {
      near.resolve(specifier);
      return near;
    } catch {
      return own;
    }
  };
  const resolve = (specifier: string, o?: NodeJS.RequireResolveOptions): string =>
    o ? near.resolve(specifier, o) : chosen(specifier).resolve(specifier);
  const require = (specifier: string): unknown => {
    try {
      return chosen(specifier)(specifier);
    } catch (error) {
      const name = packageName(specifier);
      const isThere = (near.resolve.paths(specifier) ?? []).some((path) => existsSync(join(path, name)));
      throw isThere ? error : withInstallHint(error, specifier);
    }
  };
  return Object.assign(require, near, { resolve: Object.assign(resolve, { paths: near.resolve.paths }) });
}

/** Node's error about a package that is not installed, with the command that installs it; any other error as it is. */
function withInstallHint(error: unknown, specifier: string): unknown {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") return error;
  const first = `Cannot find module '${specifier}'`;
  // A cell is no file that a reader could open.
  error.message = error.message.replace(/\nRequire stack:\n- [^\n]*[\\/]notebook\.js$/, "");
  const hint = installHint(specifier);
  // The message goes on with the files that asked for it; those of a package's own dependencies are not the notebook's to install.
  if (hint === "" || !error.message.startsWith(first) || error.message.includes(hint)) return error;
  error.message = `${first}.${hint}${error.message.slice(first.length)}`;
  return error;
}
