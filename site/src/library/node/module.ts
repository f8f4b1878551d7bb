/** The modules of Node that a page cannot have are told apart from packages by their names. */
export const builtinModules: readonly string[] = [];

export const isBuiltin = (name: string): boolean => name.startsWith("node:");

/** Loads modules that Node loads late: here they are part of the bundle, or missing. */
export function createRequire(): (name: string) => never {
  return (name) => {
    throw new Error(`Cannot load ${name}: it must be a part of the page.`);
  };
}
