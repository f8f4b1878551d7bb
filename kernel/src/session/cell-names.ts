import { suffix } from "../types/transform/apart-name.js";

/**
 * Defines names that code of cells has, and no package: such as `Deno`, by which packages find out where they run. The names are
 * those that cells' code is given instead (types/transform/apart.ts); their values are made at the first use.
 */
export function installCellNames(values: Readonly<Record<string, () => unknown>>): void {
  for (const [name, make] of Object.entries(values)) {
    let made: { value: unknown } | undefined;
    Object.defineProperty(globalThis, name + suffix, {
      get: () => (made ??= { value: make() }).value,
      set: (value: unknown) => void (made = { value }),
      configurable: true,
      enumerable: false,
    });
  }
}
