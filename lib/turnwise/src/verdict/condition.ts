/** A setting that was run: its knobs and their values. */
export type Setting = Readonly<Record<string, string | number>>;

/**
 * The settings in which a claim holds, among those that were run: "learningRate = .3 of {.03, .1, .3}".
 *
 * One knob is named where it alone tells them apart, and the claim holds at every value of the other knobs at which it was tried;
 * else every setting is. A knob that never changed is not named, unless only one setting was run.
 */
export function conditionOf(all: readonly Setting[], holding: readonly Setting[]): string {
  if (all.length === 1) return `${textOf(all[0]!, Object.keys(all[0]!))} (the one setting tried)`;
  const names = [...new Set(all.flatMap((setting) => Object.keys(setting)))];
  const varied = names.filter((name) => valuesOf(all, name).length > 1);
  const others = all.filter((setting) => !holding.includes(setting));
  for (const name of varied) {
    const values = valuesOf(holding, name);
    if (others.some((setting) => values.includes(valueOf(setting, name)))) continue;
    const isFair = (knob: string): boolean => {
      const held = valuesOf(holding, knob);
      return valuesOf(others, knob).every((value) => held.includes(value));
    };
    if (!varied.every((knob) => knob === name || isFair(knob))) continue;
    const tried = valuesOf(all, name);
    const between = tried.some((value) => value.includes(",")) ? "; " : ", ";
    return `${name} = ${values.join(" or ")} of {${tried.join(between)}}`;
  }
  return `${holding.map((setting) => textOf(setting, varied)).join("; or ")} (${holding.length} of ${all.length} settings)`;
}

/** The knobs of a setting: "learningRate = .3, epochs = 4". */
export function textOf(setting: Setting, names: readonly string[] = Object.keys(setting)): string {
  return names
    .filter((name) => name in setting)
    .map((name) => `${name} = ${valueOf(setting, name)}`)
    .join(", ");
}

const valuesOf = (settings: readonly Setting[], name: string): string[] => [
  ...new Set(settings.map((setting) => valueOf(setting, name))),
];

function valueOf(setting: Setting, name: string): string {
  const value = setting[name];
  if (value === undefined) return "unset";
  return typeof value === "number" ? String(Number(value.toPrecision(3))).replace(/^(-?)0\./, "$1.") : value;
}
