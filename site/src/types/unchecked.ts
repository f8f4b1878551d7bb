import type { TypeEngine } from "turnwise-kernel/internal/types/engine";

/** Finds nothing and knows nothing: what stands in for a type checker until there is one. */
export const unchecked: TypeEngine = {
  name: "typescript",
  setStrict: () => undefined,
  setJsx: () => undefined,
  check: () => [],
  commit: () => undefined,
  complete: (_source, offset) => ({ start: offset, end: offset, items: [] }),
  inspect: () => undefined,
  addModule: () => [],
  removeModule: () => undefined,
  importModule: () => [],
  renewModules: () => new Map(),
  close: () => undefined,
};
