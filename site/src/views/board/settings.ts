import { choice } from "../shared/choice";
import type { TextSetting } from "../shared/settings";

/** Settings of the board: a rule and a change of it. A link never holds code. */
export type BoardSettings = Readonly<Record<"rule" | "change", TextSetting<string>>>;

/** A field's path and a value, in letters, digits and their like alone: the rule decides whether it has them. */
const change = /^[A-Za-z.]+~[\w.+-]+$/;

export const settingsOf = (names: readonly string[]): BoardSettings => ({
  rule: choice("grpo", names),
  change: {
    kind: "text",
    initial: "",
    read: (text) => (text.length < 80 && change.test(text) ? text : undefined),
    write: (value) => value,
  },
});
