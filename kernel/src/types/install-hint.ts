// A file of its own, since sessions need it and must not load TypeScript.
import { denoStandard } from "./foreign-specifier.js";

/** The package that a specifier names; undefined for a path. */
function packageOf(specifier: string): string | undefined {
  return /^((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/|$)/.exec(specifier)?.[1];
}

/** The command that installs a missing package, as the end of a message; "" for what is no package. */
export function installHint(specifier: string): string {
  const name = packageOf(specifier);
  if (name === undefined) return "";
  return ` ${denoStandard(name) ?? `Install it: %install ${name}`}`;
}
