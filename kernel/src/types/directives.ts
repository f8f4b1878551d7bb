import { createRequire } from "node:module";

/** What the doc comments at the top of a cell ask for. */
export interface Directives {
  jsx: boolean;
  /** The cell is a module of this name instead of a script. */
  module?: string;
}

/** Reads tslab's directives, doc comments with `@module name`, `@jsx`, `@browser` or `@node` at the top of a cell. */
export function directives(source: string): Directives {
  const metadata = /\/\*\*[\s\S]*@(module|jsx|browser|node)\b/.test(source) ? readMetadata(source) : {};
  return { jsx: metadata.jsx ?? false, ...(metadata.module !== undefined && { module: metadata.module }) };
}

function readMetadata(source: string): { module?: string; jsx?: true } {
  // tslab's scanner brings a TypeScript of its own, which is slow to load: only where it may matter.
  const { getCodeMetadata } = createRequire(__filename)(
    "tslab/dist/metadata.js",
  ) as typeof import("tslab/dist/metadata.js");
  return getCodeMetadata(source);
}
