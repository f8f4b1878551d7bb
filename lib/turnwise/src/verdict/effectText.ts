import type { Effect, Halves } from "./effect";
import type { Condition } from "./verdict";
import { shown } from "./words";

/** An effect with its interval of .95, as ledgers show it: "0.98 [0.97, 0.99]"; of a single run, which has none, "0.98". */
export function effectText(effect: Effect, digits = 3): string {
  if (effect.n === 1) return effect.mean.toFixed(digits);
  return shown({ mean: effect.mean, ...effect.at(0.95) }, digits);
}

/** The settings of a claim that differ in one knob, with the effect in each. */
export function across(
  knob: string,
  effects: Readonly<Record<string, Effect | Halves>>,
): readonly Condition[] {
  return Object.entries(effects).map(([value, effect]) => ({ setting: { [knob]: value }, effect }));
}
