import { readFileSync } from "node:fs";
import { isTypeScript, localPath } from "./addresses.js";

/** A name that a TypeScript file passes on from another module, which does not export it. */
export interface MissingName {
  readonly path: string;
  readonly specifier: string;
  readonly name: string;
}

/** The name at which linking a TypeScript file has failed, if it is one that may be a type; undefined for any other error. */
export function missingName(error: unknown): MissingName | undefined {
  if (!(error instanceof SyntaxError)) return undefined;
  const { message, stack } = error;
  const [, specifier, name] =
    /requested module '(.*)' does not provide an export named '(.*)'/.exec(message) ??
    swapped(/Named export '(.*)' not found\. The requested module '(.*)' is a CommonJS/.exec(message)) ??
    [];
  if (specifier === undefined || name === undefined) return undefined;
  const [, url] = /^(file:\S+?\?turnwise=\d+)(?::\d+)?\s*$/m.exec(String(stack)) ?? [];
  const path = localPath(url);
  if (path === undefined || !isTypeScript(path)) return undefined;
  return passesOn(readFileSync(path, "utf8"), name) ? { path, specifier, name } : undefined;
}

function swapped(found: RegExpExecArray | null): [string, string, string] | undefined {
  return found ? [found[0], found[2]!, found[1]!] : undefined;
}

/** Whether a text exports a name in braces: only there may it be a type without saying so. */
function passesOn(text: string, name: string): boolean {
  const escaped = name.replace(/\$/g, "\\$");
  return new RegExp(`\\bexport\\s*\\{[^}]*(?<![\\w$])${escaped}(?![\\w$])`).test(text);
}
