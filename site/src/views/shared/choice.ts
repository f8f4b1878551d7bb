import type { TextSetting } from "./settings";

/** A word that a view's link may hold: one of a menu's. */
export const choice = (initial: string, values: readonly string[]): TextSetting<string> => ({
  kind: "text",
  initial,
  // As it stands in a link, since a word may hold any sign.
  read: (text) => values.find((value) => encodeURIComponent(value) === text),
  write: encodeURIComponent,
});
