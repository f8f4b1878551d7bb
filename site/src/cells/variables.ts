import type { Variable } from "turnwise-kernel/internal/magics/contract";
import { hasValue } from "./evaluator.js";

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** The variables that cells have declared or put on the global object, with their values. */
export class GlobalVariables {
  private readonly builtIn = new Set(Object.getOwnPropertyNames(globalThis));

  constructor(private readonly declared: ReadonlySet<string>) {}

  all(): Variable[] {
    const isOwn = (name: string): boolean =>
      !this.builtIn.has(name) && Object.prototype.propertyIsEnumerable.call(globalThis, name);
    const others = Object.getOwnPropertyNames(globalThis).filter(isOwn);
    return [...new Set([...this.declared, ...others])]
      .filter((name) => identifier.test(name) && Object.hasOwn(globalThis, name) && hasValue(name))
      .map((name) => ({ name, value: (globalThis as Record<string, unknown>)[name] }));
  }
}

/** The names of what a value has, which `expression` names by a path of identifiers; no code of a cell runs for it. */
export function membersOf(expression: string): string[] {
  const path = expression.trim().split(".");
  if (!path.every((name) => identifier.test(name))) return [];
  let value: unknown = globalThis;
  for (const name of path) {
    const found = findProperty(value, name);
    if (!found || !("value" in found)) return [];
    value = found.value;
  }
  const names = new Set<string>();
  const last = Object.prototype;
  for (let one = asObject(value); one !== null && one !== last; one = Object.getPrototypeOf(one) as object)
    for (const name of Object.getOwnPropertyNames(one)) names.add(name);
  return [...names];
}

function findProperty(value: unknown, name: string): PropertyDescriptor | undefined {
  for (let one = asObject(value); one !== null; one = Object.getPrototypeOf(one) as object | null) {
    const found = Object.getOwnPropertyDescriptor(one, name);
    if (found) return found;
  }
  return undefined;
}

function asObject(value: unknown): object | null {
  return value === undefined || value === null ? null : (Object(value) as object);
}
