// An ES module, as only one has Node's own answer. The second argument is one that Node hears with --experimental-import-meta-resolve.

/** The address that `import` would load for a file. */
export const resolve = (specifier: string, parent: string): string => import.meta.resolve(specifier, parent);
