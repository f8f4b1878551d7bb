import { show } from "../base/show";
import { didYouMean } from "../base/suggest";
import { registeredIds } from "../env";
import { recipe, recipeNames, type Recipe, type RecipeName, type RecipeOverrides } from "../rule";
import { recipeSchema } from "../rule/schema";
import { knobsOf, type Slider } from "../schema";
import { trainSchema } from "../train/options";
import type { Knob, KnobValues } from "./knobs";

/** The menu entry that leaves a field as the recipe has it. */
export const asInRule = "as in the rule";

/** Place of each setting in the rule. Its menu or slider is made from what the schema of rules says of that place. */
export const places = {
  learningRate: "update.optimizer.learningRate",
  clipHigh: "gate.clipHigh",
  entropyCoef: "regularizer.entropyCoef",
  epochs: "update.epochs",
  advantage: "advantage.kind",
  scale: "scale.kind",
  correction: "correction.kind",
  ratio: "ratio.level",
  pooling: "ratio.pooling",
  gate: "gate.kind",
  aggregate: "aggregate.kind",
  order: "order.kind",
  carry: "order.carry.kind",
  filter: "filter.kind",
  clippingTriggered: "regularizer.clippingTriggered.kind",
  optimizer: "update.optimizer.kind",
} as const;

/** Options of `train` that have a slider. */
const sampling = ["groups", "groupSize", "seed"] as const;

type Place = keyof typeof places;
export type SettingName = "env" | "recipe" | Place | (typeof sampling)[number];

const rowKnobs = knobsOf(recipeSchema);
const trainKnobs = knobsOf(trainSchema);

const slider = ({ min, max, step, log }: Slider): Knob =>
  log === true ? { kind: "log", min, max } : step === undefined ? [min, max] : [min, max, step];

function controlOf(place: string): Knob {
  const own = rowKnobs.find(
    ({ path, values, slider: range }) => path === place && (values ?? range) !== undefined,
  );
  // The key that names a choice stands for the choice itself.
  const { values, slider: range } = own ?? rowKnobs.find(({ path }) => path === place.replace(/\.\w+$/, ""))!;
  return values === undefined ? slider(range!) : [asInRule, ...values];
}

/** Every control of the playground: the world, each choice of the rule, and the numbers. */
export const settingKnobs: Readonly<Record<SettingName, Knob>> = {
  /** Also those that were registered since. */
  get env(): readonly string[] {
    return registeredIds();
  },
  recipe: recipeNames as readonly string[],
  ...(Object.fromEntries(
    sampling.map((name) => [name, slider(trainKnobs.find(({ path }) => path === name)!.slider!)]),
  ) as Record<(typeof sampling)[number], Knob>),
  ...(Object.fromEntries(Object.entries(places).map(([name, place]) => [name, controlOf(place)])) as Record<
    Place,
    Knob
  >),
};

const isMenu = (knob: Knob): knob is readonly string[] => Array.isArray(knob) && typeof knob[0] === "string";

/** Value of the rule at a place; undefined if its choices have no such option. */
function valueAt(rule: Recipe, place: string): unknown {
  return place
    .split(".")
    .reduce<unknown>((field, key) => (field as Record<string, unknown> | null | undefined)?.[key], rule);
}

/** Overrides that have these values at these places, and nothing else. */
function overridesWith(values: readonly (readonly [place: string, value: unknown])[]): RecipeOverrides {
  const overrides: Record<string, unknown> = {};
  for (const [place, value] of values) {
    const keys = place.split(".");
    const last = keys.pop()!;
    let field = overrides;
    for (const key of keys) field = (field[key] ??= {}) as Record<string, unknown>;
    field[last] = value;
  }
  return overrides as RecipeOverrides;
}

/** The numbers of a rule that have a slider; a rule without a clip has no clipHigh. */
function numbersOf(rule: Recipe): KnobValues {
  const numbers = Object.entries(places)
    .map(([name, place]): [string, unknown] => [name, valueAt(rule, place)])
    .filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return Object.fromEntries(numbers);
}

function within(name: string, value: number | string): number | string {
  const knob = settingKnobs[name as SettingName];
  const [min, max] =
    "kind" in knob && knob.kind === "log" ? [knob.min, knob.max] : (knob as readonly number[]);
  return Math.min(max!, Math.max(min!, Number(value)));
}

/** Refuses what no control could show: a word that is not in the menu, or a number beyond the slider. */
function expectOnKnob(name: string, knob: Knob, value: number | string): void {
  const cannot = `Cannot set ${name}: it must be`;
  if (isMenu(knob)) {
    if (knob.includes(value as string)) return;
    throw new RangeError(
      `${cannot} one of ${knob.join(", ")}, got ${show(value)}.${didYouMean(String(value), knob)}`,
    );
  }
  const isLog = "kind" in knob;
  const [min, max] = isLog
    ? [(knob as { min: number }).min, (knob as { max: number }).max]
    : (knob as readonly number[]);
  const whole = !isLog && (knob as readonly number[]).every(Number.isInteger);
  const fits =
    typeof value === "number" && value >= min! && value <= max! && (!whole || Number.isInteger(value));
  if (fits) return;
  throw new RangeError(
    `${cannot} ${whole ? "an integer" : "a number"} from ${String(min)} to ${String(max)}, got ${show(value)}.`,
  );
}

/** Values of all knobs, and which of them were moved: a number that was not moved is the rule's own, and follows it. */
export class Settings {
  readonly #values: KnobValues;
  readonly #moved = new Set<string>();

  /** @param own a rule that takes the place of the recipe that it was made from */
  constructor(
    start: Readonly<Partial<Record<SettingName, number | string>>>,
    private readonly own?: Recipe,
  ) {
    const first = Object.entries(settingKnobs).map(([name, knob]): [string, number | string] => [
      name,
      "kind" in knob ? (knob.kind === "log" ? Math.sqrt(knob.min * knob.max) : 0) : knob[0]!,
    ]);
    this.#values = {
      ...Object.fromEntries(first),
      env: "LookUp-v0",
      recipe: own?.name ?? "grpo",
      ...Object.fromEntries(
        sampling.map((name) => [name, trainKnobs.find(({ path }) => path === name)!.default as number]),
      ),
    };
    for (const [name, value] of Object.entries(start)) this.set(name, value);
    this.follow();
  }

  /**
   * Gives every number that was not moved the value of the present rule, as far as its slider reaches.
   *
   * @returns what has changed; nothing when the choices do not fit together
   */
  follow(): KnobValues {
    let rule: Recipe;
    try {
      rule = this.row;
    } catch {
      // The error is shown where the rule is used.
      return {};
    }
    const changed = Object.entries(numbersOf(rule))
      .filter(([name]) => !this.#moved.has(name))
      .map(([name, value]): [string, number | string] => [name, within(name, value)])
      .filter(([name, value]) => this.#values[name] !== value);
    for (const [name, value] of changed) this.#values[name] = value;
    return Object.fromEntries(changed);
  }

  /** @throws {RangeError} if the name is no setting, with the nearest one */
  set(name: string, value: number | string): void {
    if (!Object.hasOwn(settingKnobs, name)) {
      const names = Object.keys(settingKnobs);
      throw new RangeError(
        `Cannot set up a playground: a setting must be one of ${names.join(", ")}, got "${name}".${didYouMean(name, names)}`,
      );
    }
    const knob = settingKnobs[name as SettingName];
    if (value === asInRule && name in places) {
      if (isMenu(knob)) this.#values[name] = asInRule;
      this.#moved.delete(name);
      return;
    }
    expectOnKnob(name, knob, value);
    this.#values[name] = value;
    this.#moved.add(name);
  }

  /** All that brings other settings here: the world, the recipe, and what was moved. */
  get chosen(): Readonly<Partial<Record<SettingName, number | string>>> {
    const moved = Object.keys(settingKnobs).filter(
      (name) => name === "env" || name === "recipe" || this.#moved.has(name),
    );
    return Object.fromEntries(moved.map((name) => [name, this.#values[name]!]));
  }

  /** Changes that turn other settings into these; a setting of the rule that is no longer changed is as in the rule. */
  changesFrom(before: Readonly<Partial<Record<SettingName, number | string>>>): KnobValues {
    const now = this.chosen;
    const names = new Set([...Object.keys(before), ...Object.keys(now)]) as Set<SettingName>;
    return Object.fromEntries(
      [...names]
        .filter((name) => before[name] !== now[name])
        .map((name) => [name, now[name] ?? asInRule] as const),
    );
  }

  /** Takes back every choice that changes the rule; world, rule, sample sizes and seed stay. */
  clear(): void {
    for (const [name, knob] of Object.entries(settingKnobs)) {
      if (isMenu(knob) && knob.includes(asInRule)) this.#values[name] = asInRule;
    }
    for (const name of Object.keys(places)) this.#moved.delete(name);
    this.follow();
  }

  get values(): KnobValues {
    return { ...this.#values };
  }

  number(name: (typeof sampling)[number]): number {
    return Number(this.#values[name]);
  }

  get env(): string {
    return String(this.#values["env"]);
  }

  /**
   * The rule with every field and number that was chosen.
   *
   * @throws {RangeError} if the choices do not fit together, as `recipe` tells it
   */
  get row(): Recipe {
    const chosen = Object.entries(places).flatMap(([name, place]) => {
      const value = this.#values[name]!;
      const own = isMenu(settingKnobs[name as Place]) ? value !== asInRule : this.#moved.has(name);
      return own ? [[place, isMenu(settingKnobs[name as Place]) ? value : Number(value)] as const] : [];
    });
    const name = this.#values["recipe"] as RecipeName;
    return recipe(this.own?.name === name ? this.own : name, overridesWith(chosen));
  }
}
