import { pathToFileURL } from "node:url";

/**
 * The file for a path inside a package that leaves out the extension or means a folder, such as `dayjs/plugin/utc`: `require` and
 * TypeScript know it where the package has no "exports", and Node's `import` refuses it. Undefined if the error has another reason.
 */
export function packagePath(error: unknown, specifier: string, near: NodeJS.Require): string | undefined {
  const { code, url } = error as NodeJS.ErrnoException & { readonly url?: string };
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "ERR_UNSUPPORTED_DIR_IMPORT") return undefined;
  // Not that of an import inside the package.
  if (url?.endsWith(`/node_modules/${specifier}`) !== true) return undefined;
  try {
    return pathToFileURL(near.resolve(specifier)).href;
  } catch {
    return undefined;
  }
}
