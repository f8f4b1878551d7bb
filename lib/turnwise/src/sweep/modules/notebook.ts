/** Exports of a module. */
export type Namespace = Readonly<Record<string, unknown>>;

/** Key under which a kernel publishes the local modules that the notebook has loaded: their exports by absolute file. */
const modulesSymbol = Symbol.for("turnwise.modules");

/** Key under which a kernel lends its TypeScript compiler: a function that returns the module `typescript`. */
const typescriptSymbol = Symbol.for("turnwise.typescript");

const host = globalThis as unknown as Readonly<Record<symbol, unknown>>;

/** The modules of the notebook in which this library runs; undefined outside of a notebook. */
export function notebookModules(): ReadonlyMap<string, Namespace> | undefined {
  return host[modulesSymbol] as ReadonlyMap<string, Namespace> | undefined;
}

export function lentCompiler(): unknown {
  const lend = host[typescriptSymbol];
  return typeof lend === "function" ? (lend as () => unknown)() : undefined;
}
