import { settings, type SettingName } from "../display/settings.js";
import type { Magic, MagicHost } from "./contract.js";
import { nearest } from "./nearest.js";

const names = Object.keys(settings) as SettingName[];

/** `%config`: the limits of output. */
export const config: Magic = {
  name: "config",
  forms: ["line"],
  usage: ["%config [setting [= value | = default]]"],
  about: "Shows the kernel's settings or one of them, or sets one until the kernel restarts.",
  example: "%config printed = 10_000_000",
  words: names,
  check: ({ rest }) => void read(rest),
  run({ rest }, host) {
    const { name, value } = read(rest);
    if (name === undefined) return host.display(names.map((one) => row(one, host)));
    if (value !== undefined) host.settings.set(name, value);
    host.print(`${name} = ${grouped(host.settings.get(name))}  (${settings[name].about})\n`);
  },
};

const grouped = (value: number): string => value.toLocaleString("en").replaceAll(",", "_");

function row(name: SettingName, host: MagicHost): Record<string, string> {
  const { initial, about } = settings[name];
  return {
    setting: name,
    value: grouped(host.settings.get(name)),
    default: grouped(initial),
    meaning: about,
  };
}

function read(rest: string): { name?: SettingName; value?: number } {
  if (rest.trim() === "") return {};
  const [, word = "", text] = /^\s*([\w.]+)(?:\s*=?\s*(\S.*?))?\s*$/.exec(rest) ?? [];
  const name = names.find((one) => one === word);
  if (name === undefined) {
    throw new RangeError(
      `Cannot find the setting: it must be one of ${names.join(", ")}, got "${word || rest.trim()}".${nearest(word, names)}`,
    );
  }
  if (text === undefined) return { name };
  const { initial, least, most } = settings[name];
  const value = text === "default" ? initial : Number(text.replaceAll("_", ""));
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(
      `Cannot set ${name}: it must be an integer from ${grouped(least)} to ${grouped(most)}, or default, got "${text}".`,
    );
  }
  return { name, value };
}
