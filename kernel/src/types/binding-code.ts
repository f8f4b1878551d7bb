// A file of its own, since sessions need it and must not load TypeScript.
import { runtimeName } from "./transform/runtime-name.js";

/** The value of a promise, waited for as the cell's own waits are. */
export const waited = (source: string): string =>
  `${runtimeName}.r(${runtimeName}.c,await ${runtimeName}.w(${source}))`;

/** The statement that takes names again from a module; `source` is the expression for its exports. */
export function bindingCode(names: readonly (readonly [string, string])[], source: string): string {
  const properties = names
    .filter(([exported]) => exported !== "*")
    .map(([exported, name]) => (exported === name ? name : `${JSON.stringify(exported)}:${name}`));
  const whole = names.filter(([exported]) => exported === "*").map(([, name]) => `${name}=${source}`);
  return `let ${[...whole, `{${properties.join(",")}}=${source}`].join(",")};`;
}
