import { isCustom, textOf, type Custom, type CustomLine } from "./custom";

/** Place of a custom function in a rule: its field, such as `advantage` or `reward.custom`, and the function or its stored form. */
export interface CustomPlace<C> {
  readonly field: string;
  readonly by: C;
}

/** The custom functions of a rule, in the order of its fields. */
export const customFunctions = (row: object): CustomPlace<Custom>[] => [...walk(row, "", isCustom)];

/** The custom functions that a rule has lost on its way through a file: their labels are left. */
export const lostFunctions = (row: object): CustomPlace<CustomLine>[] => [...walk(row, "", isLine)];

/**
 * The custom functions whose text differs between two rules, in the same field and under the same label: another rule, though
 * nothing else tells them apart.
 */
export function changedFunctions(before: object, now: object): CustomPlace<Custom>[] {
  const known = new Map(customFunctions(before).map(({ field, by }) => [field, by]));
  return customFunctions(now).filter(({ field, by }) => {
    const old = known.get(field);
    return old?.label === by.label && textOf(old) !== textOf(by);
  });
}

/** Whether it is the stored form of a custom function. */
export const isLine = (value: unknown): value is CustomLine =>
  isObject(value) && !isCustom(value) && "custom" in value && typeof value.custom === "string";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function* walk<C>(
  value: object,
  path: string,
  wanted: (value: unknown) => value is C,
): Generator<CustomPlace<C>> {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const at = path === "" ? key : `${path}.${key}`;
    if (wanted(inner)) yield { field: key === "by" ? path : at, by: inner };
    else if (isObject(inner) && !isCustom(inner)) yield* walk(inner, at, wanted);
  }
}

/** Label of a rule in charts: its name, and the labels of its custom functions. */
export const rowLabel = (row: { readonly name: string }): string =>
  [row.name, ...customFunctions(row).map(({ by }) => by.label)].join(" + ");
