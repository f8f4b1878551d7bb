import type { ChoiceSetting } from "../shared/settings";

/** Value of a menu that filters nothing. */
const any = "any";

/** Settings of the map of rules: its menus, whose values the page holds. */
export interface MapSettings {
  readonly group: ChoiceSetting;
  readonly year: ChoiceSetting;
  readonly choice: ChoiceSetting;
  readonly [name: string]: ChoiceSetting;
}

function menuOf(el: HTMLElement, name: string): ChoiceSetting {
  const { options } = el.querySelector<HTMLSelectElement>(`select#${name}`)!;
  return { kind: "choice", initial: any, values: Array.from(options, ({ value }) => value) };
}

export const settingsOf = (el: HTMLElement): MapSettings => ({
  group: menuOf(el, "group"),
  year: menuOf(el, "year"),
  choice: menuOf(el, "choice"),
});
