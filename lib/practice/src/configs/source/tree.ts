import type { Unresolved } from "./unresolved";

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/**
 * Dotted names from nested objects, as hydra, OpenRLHF and prime-rl keep a configuration; lists are values. Names lose the plus signs
 * of hydra, and wandb's `{ value, desc }` around each entry is taken off.
 */
export function dotted(tree: Tree): Record<string, unknown> {
  const flat: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const walk = (inner: Tree, path: string): void => {
    for (const [name, value] of Object.entries(inner)) {
      if (path === "" && (name === "_wandb" || name === "wandb_version")) continue;
      const at = path + name.replace(/^(\+{1,2}|~)/, "");
      const held = path === "" && isOfWandb(value) ? value.value : value;
      if (isTree(held)) walk(held, `${at}.`);
      else flat[at] = held;
    }
  };
  walk(tree, "");
  return { ...flat };
}

const isOfWandb = (value: unknown): value is { value: unknown } =>
  isTree(value) &&
  Object.hasOwn(value, "value") &&
  Object.keys(value).every((key) => key === "value" || key === "desc");

const reference = /^\$\{(?:oc\.select:)?([\w.]+)(?:,\s*([^}]*))?\}$/;

/** Fills in hydra's references to other names; those that lead nowhere are listed. */
export function resolved(flat: Tree): { readonly flags: Tree; readonly unresolved: readonly Unresolved[] } {
  const unresolved: Unresolved[] = [];
  const of = (value: unknown, depth: number): unknown => {
    if (typeof value !== "string" || !value.includes("${")) return value;
    const found = reference.exec(value);
    if (found === null || depth > 20) return undefined;
    const [, name, initial] = found;
    if (Object.hasOwn(flat, name!)) return of(flat[name!], depth + 1);
    return initial === undefined ? undefined : initial.trim();
  };
  const flags = Object.entries(flat).flatMap(([name, value]) => {
    const filled = of(value, 0);
    if (filled !== undefined || value === undefined) return [[name, filled] as const];
    unresolved.push({ name });
    return [];
  });
  return { flags: Object.fromEntries(flags), unresolved };
}
