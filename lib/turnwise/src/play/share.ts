import type { SettingName } from "./settings";

/** Settings by name. */
export type SomeSettings = Readonly<Partial<Record<SettingName, number | string>>>;

/** Settings that were changed after a number of updates of a run. */
export type SteeredAt = SomeSettings & { readonly after: number };

/** A line with more changes than this is too long to be of use. */
export const mostChanges = 60;

/** Settings and steps that bring a playground to its present state. */
export interface Shared {
  readonly start: SomeSettings;
  readonly changes: readonly SteeredAt[];
  readonly updates: number;
  /** Whether it plays with a custom rule, which stands in a variable of the person who made it. */
  readonly hasRule: boolean;
}

/** A line of code that opens a playground with these settings; run, it gives the same curve. */
export function codeLine({ start, changes, updates, hasRule }: Shared): string {
  const parts = [
    ...(hasRule ? ["recipe"] : []),
    `start: ${literal(start)}`,
    ...(changes.length === 0 ? [] : [`changes: [${changes.map(literal).join(", ")}]`]),
    `updates: ${String(updates)}`,
  ];
  return `import { playground } from "turnwise"; const p = playground({ ${parts.join(", ")} });`;
}

const literal = (values: object): string => {
  const entries = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `{ ${entries.join(", ")} }`;
};

/** Adds a change to those of a run: of several after the same update, the last one of each setting counts. */
export function withChange(
  changes: readonly SteeredAt[],
  after: number,
  changed: SomeSettings,
): readonly SteeredAt[] {
  const last = changes.at(-1);
  if (last?.after !== after) return [...changes, { after, ...changed }];
  return [...changes.slice(0, -1), { ...last, ...changed }];
}
