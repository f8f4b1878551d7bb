import Module, { createRequire } from "node:module";
import { extname } from "node:path";
import { withOwnPackages } from "../own-packages.js";
import { isTypeScript } from "./addresses.js";
import { fileOf } from "./hooks.js";

/** `require` of a local ES module that was written for CommonJS. */
export function requireOf(path: string): NodeJS.Require {
  const require = withOwnPackages(createRequire(path));
  const checked = (specifier: string): unknown => {
    const file = Module.isBuiltin(specifier) ? undefined : fileOf(specifier, path, undefined);
    if (file !== undefined && isTypeScript(file) && extname(file) !== ".cts")
      throw new Error(
        `Cannot require ${specifier}: a TypeScript file is an ES module. Write import instead.`,
      );
    return require(specifier);
  };
  return Object.assign(checked, require);
}
