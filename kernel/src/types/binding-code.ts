// A file of its own, since sessions need it and must not load TypeScript.

/** The statement that takes names again from a module; `source` is the expression for its exports. */
export function bindingCode(names: readonly (readonly [string, string])[], source: string): string {
  const properties = names
    .filter(([exported]) => exported !== "*")
    .map(([exported, name]) => (exported === name ? name : `${JSON.stringify(exported)}:${name}`));
  const whole = names.filter(([exported]) => exported === "*").map(([, name]) => `${name}=${source}`);
  return `let ${[...whole, `{${properties.join(",")}}=${source}`].join(",")};`;
}
