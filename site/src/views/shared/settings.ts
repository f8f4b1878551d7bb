/** A number that a view's link may hold. */
export interface NumberSetting {
  readonly kind: "number";
  readonly initial: number;
  /** The values that there are: a slider's places. */
  readonly values: readonly number[];
}

/** A switch that a view's link may hold. */
export interface SwitchSetting {
  readonly kind: "switch";
  readonly initial: boolean;
}

/** A word that a view's link may hold: a menu's. */
export interface ChoiceSetting {
  readonly kind: "choice";
  readonly initial: string;
  readonly values: readonly string[];
}

/** The settings of a view, by their names in a link. */
export type Settings = Readonly<Record<string, NumberSetting | SwitchSetting | ChoiceSetting>>;

/** The values of a view's settings. */
export type Values<S extends Settings> = {
  -readonly [N in keyof S]: S[N] extends NumberSetting
    ? number
    : S[N] extends ChoiceSetting
      ? string
      : boolean;
};

/** Values of all settings, and the parts of a link that are no setting and were left out. */
export interface Linked<S extends Settings> {
  readonly values: Values<S>;
  readonly refused: readonly string[];
}

/** The values that a link's fragment holds; a link holds settings only, so nothing of it is ever run or shown as markup. */
export function readLink<S extends Settings>(settings: S, fragment: string): Linked<S> {
  const initial = Object.entries(settings).map(([name, { initial }]) => [name, initial] as const);
  const values = Object.fromEntries(initial) as Record<string, Value>;
  const refused: string[] = [];
  const parts = fragment.replace(/^#/, "").split("&");
  for (const part of parts.filter((one) => one !== "")) {
    const [name = "", text = "", ...rest] = part.split("=");
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
    const value = setting === undefined || rest.length > 0 ? undefined : valueOf(setting, text);
    if (value === undefined) refused.push(part);
    else values[name] = value;
  }
  return { values: values as Values<S>, refused };
}

type Value = number | boolean | string;

/** As a link writes a value; a word may hold any sign. */
const textOf = (value: Value): string =>
  typeof value === "boolean" ? (value ? "on" : "off") : encodeURIComponent(value);

function valueOf(setting: Settings[string], text: string): Value | undefined {
  const values = setting.kind === "switch" ? [true, false] : setting.values;
  return values.find((value: Value) => textOf(value) === text);
}

/** The fragment of a link to these values; those that are as at first are left out. */
export function linkOf<S extends Settings>(settings: S, values: Values<S>): string {
  const parts = Object.entries(settings).flatMap(([name, { initial }]) => {
    const value = values[name]!;
    if (value === initial) return [];
    return `${name}=${textOf(value)}`;
  });
  return parts.length === 0 ? "" : `#${parts.join("&")}`;
}
