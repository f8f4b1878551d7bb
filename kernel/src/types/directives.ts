import { createRequire } from "node:module";
import type { TypePolicy } from "./messages.js";

/** What the directives and magic lines of a cell ask for. */
export interface Directives {
  /** The cell with magic lines blanked out; all positions stay. */
  source: string;
  /** From here on: what type errors do. */
  policy?: TypePolicy;
  jsx: boolean;
  /** The cell is a module of this name instead of a script. */
  module?: string;
}

/**
 * Reads tslab's directives, doc comments with `@module name`, `@jsx`, `@browser` or `@node` at the top of a cell,
 * and the magic line `%types error|warn|off`.
 *
 * @throws {RangeError} if `%types` has another value
 */
export function directives(code: string): Directives {
  let policy: TypePolicy | undefined;
  const source = code.replace(/^%types\b[ \t]*([^\r\n]*)/gm, (line: string, value: string) => {
    const word = value.trim();
    if (word !== "error" && word !== "warn" && word !== "off") {
      throw new RangeError(
        `Cannot set the type policy as %types must be followed by error, warn or off: ${JSON.stringify(word)}`,
      );
    }
    policy = word;
    return " ".repeat(line.length);
  });
  const metadata = /\/\*\*[\s\S]*@(module|jsx|browser|node)\b/.test(source) ? readMetadata(source) : {};
  return {
    source,
    ...(policy && { policy }),
    jsx: metadata.jsx ?? false,
    ...(metadata.module !== undefined && { module: metadata.module }),
  };
}

function readMetadata(source: string): { module?: string; jsx?: true } {
  // tslab's scanner brings a TypeScript of its own, which is slow to load: only where it may matter.
  const { getCodeMetadata } = createRequire(__filename)(
    "tslab/dist/metadata.js",
  ) as typeof import("tslab/dist/metadata.js");
  return getCodeMetadata(source);
}
