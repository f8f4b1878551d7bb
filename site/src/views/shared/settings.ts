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

/** A value of another form that a view's link may hold, as a text without "=" and "&". */
export interface TextSetting<T = unknown> {
  readonly kind: "text";
  readonly initial: T;
  /** The value that a text of a link stands for; undefined if it stands for none. */
  read(text: string): T | undefined;
  write(value: T): string;
}

/** The settings of a view, by their names in a link. */
export type Settings = Readonly<Record<string, NumberSetting | SwitchSetting | TextSetting>>;

/** The values of a view's settings. */
export type Values<S extends Settings> = {
  -readonly [N in keyof S]: S[N] extends TextSetting<infer T>
    ? T
    : S[N] extends NumberSetting
      ? number
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
  const values = Object.fromEntries(initial) as Record<string, unknown>;
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

/** The fragment of a link; of a text without one all of it, unless that is an address, which then holds no setting. */
export function fragmentOf(link: string): string {
  const at = link.indexOf("#");
  return at >= 0 ? link.slice(at + 1) : /^[a-z]+:\/\//i.test(link) ? "" : link;
}

function valueOf(setting: Settings[string], text: string): unknown {
  if (setting.kind === "text") return setting.read(text);
  if (setting.kind === "switch") return text === "on" ? true : text === "off" ? false : undefined;
  return setting.values.find((value) => String(value) === text);
}

/** Reports the parts of a link that were left out. */
export const refusedWords = (refused: readonly string[]): string =>
  `This link holds something that is no setting of this page, which was left out: ${refused.join(", ")}`;

/** The fragment of a link to these values; those that are as at first are left out. */
export function linkOf<S extends Settings>(settings: S, values: Values<S>): string {
  const parts = Object.entries(settings).flatMap(([name, setting]) => {
    const text = textOf(setting, values[name]);
    return text === textOf(setting, setting.initial) ? [] : `${name}=${text}`;
  });
  return parts.length === 0 ? "" : `#${parts.join("&")}`;
}

function textOf(setting: Settings[string], value: unknown): string {
  if (setting.kind === "text") return setting.write(value);
  return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}
