import { choice } from "../shared/choice";
import type { TextSetting } from "../shared/settings";

/** Value of a menu that filters nothing. */
const any = "any";

/** Settings of the map of rules: its menus, whose values the page holds. */
export type MapSettings = Readonly<Record<"group" | "year" | "choice", TextSetting<string>>>;

function menuOf(el: HTMLElement, name: string): TextSetting<string> {
  const { options } = el.querySelector<HTMLSelectElement>(`select#${name}`)!;
  return choice(
    any,
    Array.from(options, ({ value }) => value),
  );
}

export const settingsOf = (el: HTMLElement): MapSettings => ({
  group: menuOf(el, "group"),
  year: menuOf(el, "year"),
  choice: menuOf(el, "choice"),
});
