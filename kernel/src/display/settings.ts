/** A limit of the kernel that `%config` shows and sets. */
interface Setting {
  readonly initial: number;
  readonly least: number;
  readonly most: number;
  /** Description of the limit, without a full stop. */
  readonly about: string;
}

const setting = (initial: number, least: number, most: number, about: string): Setting => ({
  initial,
  least,
  most,
  about,
});

/** All of them. */
export const settings = {
  printed: setting(
    2_000_000,
    1_000,
    1_000_000_000,
    "characters that a cell may print at once before the middle is left out",
  ),
  printedPerSecond: setting(
    500_000,
    1_000,
    1_000_000_000,
    "characters that a cell may print per second beyond `printed`",
  ),
  printedTail: setting(65_536, 1_000, 100_000_000, "characters shown of the end if the middle is left out"),
  kept: setting(
    500_000_000,
    0,
    10_000_000_000,
    "characters of a large output that are kept in a file; 0: none",
  ),
  text: setting(100_000, 1_000, 1_000_000_000, "characters of a value shown as text"),
  display: setting(
    50_000_000,
    10_000,
    1_000_000_000,
    "characters of HTML, an image or a chart shown in the notebook",
  ),
  tableRows: setting(20, 1, 1_000, "rows on a page of a table"),
  tableMost: setting(1_000, 1, 100_000, "rows of a table that the notebook holds"),
  logDepth: setting(2, 0, 100, "levels of an object that console.log shows"),
  results: setting(100, 1, 1_000_000, "cells whose text and value In and Out keep"),
  semicolon: setting(
    0,
    0,
    1,
    "1: a semicolon after the last expression silences it; two, or void, always do",
  ),
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
export type SettingValues = Partial<Record<SettingName, number>>;

/** The settings of one process, and who wants to hear of changes. */
export class Settings {
  /** Values that differ from the defaults. */
  values: SettingValues = {};
  onChange: (values: SettingValues) => void = () => undefined;

  get(name: SettingName): number {
    return this.values[name] ?? settings[name].initial;
  }

  set(name: SettingName, value: number): void {
    this.values = { ...this.values, [name]: value };
    this.onChange(this.values);
  }
}

/** The limits that this process obeys. */
export const limits = new Settings();
