// A file of its own, since sessions need it and must not load TypeScript.
import { denoStandard } from "./foreign-specifier.js";

/** The package that a specifier names, and a version as some kernels take it; undefined for a path. */
function packageOf(
  specifier: string,
): { readonly name: string; readonly version: string | undefined } | undefined {
  const [, name, version] = /^((?:@[\w.-]+\/)?[a-z][\w.-]*)(@[\w.^~-]+)?(?:\/|$)/.exec(specifier) ?? [];
  return name === undefined ? undefined : { name, version };
}

/** The command that installs a missing package, as the end of a message; "" for what is no package. */
export function installHint(specifier: string): string {
  const { name, version } = packageOf(specifier) ?? {};
  if (name === undefined) return "";
  if (name === "node-kernel")
    return " In a cell, display(value), html(text), md(text), svg(text), png(bytes) and javascript(text) need no import";
  if (version !== undefined) return ` Install it: %install ${name}${version}, and import it from "${name}"`;
  return ` ${denoStandard(name) ?? `Install it: %install ${name}`}`;
}
