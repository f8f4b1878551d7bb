import { didYouMean } from "../base/suggest";
import { registeredIds } from "../env";
import { recipe, recipeNames, type Recipe, type RecipeName, type RecipeOverrides } from "../rule";
import { recipeSchema } from "../rule/schema";
import { knobsOf } from "../schema";
import { settingsSchema } from "../train/settings";
import { trainSchema } from "../train/options";
import type { Knob, KnobValues } from "./knobs";

/** The menu entry that leaves a cell as the recipe has it. */
export const asInRow = "as in the row";

const rowKnobs = knobsOf(recipeSchema);

function menu(path: string): string[] {
  return [asInRow, ...rowKnobs.find((knob) => knob.path === path)!.values!];
}

/** The slider that an option of `train` declares. */
function sliderOf(option: keyof typeof trainSchema.properties): readonly [min: number, max: number] {
  const { min, max } = knobsOf(trainSchema).find(({ path }) => path === option)!.slider!;
  return [min, max];
}

/** Every knob of the playground: the world, each choice of the row, and the numbers. */
export const settingKnobs = {
  /** Also those that were registered since. */
  get env(): readonly string[] {
    return registeredIds();
  },
  recipe: recipeNames as readonly string[],
  advantage: menu("advantage"),
  scale: menu("scale"),
  ratio: menu("ratio"),
  pooling: menu("ratio.pooling"),
  gate: menu("gate"),
  aggregate: menu("aggregate"),
  order: menu("order"),
  carry: menu("order.carry"),
  filter: menu("filter"),
  clippingTriggered: menu("regulariser.clippingTriggered"),
  optimiser: menu("update.optimiser"),
  learningRate: { kind: "log", min: 1e-3, max: 100 },
  clipHigh: { kind: "log", min: 1e-4, max: 1 },
  entropyCoef: [0, 1, 0.001],
  epochs: [1, 8],
  groups: sliderOf("groups"),
  groupSize: sliderOf("groupSize"),
  seed: sliderOf("seed"),
} as const satisfies Record<string, Knob>;

export type SettingName = keyof typeof settingKnobs;

/** The numbers of a row that have a slider; a row without a clip has no clipHigh. */
function numbersOf({ gate, regulariser, update }: Recipe): KnobValues {
  const { learningRate } = update.optimiser;
  const { entropyCoef } = regulariser;
  return {
    learningRate,
    entropyCoef,
    epochs: update.epochs,
    ...("clipHigh" in gate ? { clipHigh: gate.clipHigh } : {}),
  };
}

function within(name: string, value: number | string): number | string {
  const knob: Knob = settingKnobs[name as SettingName];
  const [min, max] =
    "kind" in knob && knob.kind === "log" ? [knob.min, knob.max] : (knob as readonly number[]);
  return Math.min(max!, Math.max(min!, Number(value)));
}

/** Values of all knobs, and which of them were moved: a number that was not moved is the row's own, and follows it. */
export class Settings {
  readonly #values: KnobValues;
  readonly #moved = new Set<string>();

  constructor(start: Readonly<Partial<Record<SettingName, number | string>>>) {
    const first = Object.entries(settingKnobs).map(([name, knob]): [string, number | string] => [
      name,
      "kind" in knob ? Math.sqrt(knob.min * knob.max) : (knob[0] as number | string),
    ]);
    this.#values = {
      ...Object.fromEntries(first),
      env: "LookUp-v0",
      recipe: "grpo",
      groups: settingsSchema.properties.groups["default"] as number,
      groupSize: settingsSchema.properties.groupSize["default"] as number,
    };
    for (const [name, value] of Object.entries(start)) this.set(name, value);
    this.follow();
  }

  /**
   * Gives every number that was not moved the value of the present row, as far as its slider reaches.
   *
   * @returns what has changed; nothing when the choices do not fit together
   */
  follow(): KnobValues {
    let row: Recipe;
    try {
      row = this.row;
    } catch {
      // Told where the row is used.
      return {};
    }
    const changed = Object.entries(numbersOf(row))
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
        `Cannot set up a playground as a setting must be one of ${names.join(", ")}: got "${name}"${didYouMean(name, names)}`,
      );
    }
    this.#values[name] = value;
    this.#moved.add(name);
  }

  /** Takes back every choice that changes the row; world, row, sample sizes and seed stay. */
  clear(): void {
    for (const [name, knob] of Object.entries(settingKnobs)) {
      if (Array.isArray(knob) && (knob as readonly unknown[]).includes(asInRow)) this.#values[name] = asInRow;
    }
    this.#moved.clear();
    this.follow();
  }

  get values(): KnobValues {
    return { ...this.#values };
  }

  number(name: "groups" | "groupSize" | "seed"): number {
    return Number(this.#values[name]);
  }

  get env(): string {
    return String(this.#values["env"]);
  }

  /**
   * The row with every cell and number that was chosen.
   *
   * @throws RangeError when the choices do not fit together, as `recipe` tells it
   */
  get row(): Recipe {
    const choice = (name: SettingName): string | undefined => {
      const value = String(this.#values[name]);
      return value === asInRow ? undefined : value;
    };
    const number = (name: SettingName): number | undefined =>
      this.#moved.has(name) ? Number(this.#values[name]) : undefined;
    const cells = (parts: Record<string, unknown>): Record<string, unknown> | undefined => {
      const given = Object.entries(parts).filter(([, value]) => value !== undefined);
      return given.length === 0 ? undefined : Object.fromEntries(given);
    };
    const overrides = cells({
      advantage: cells({ kind: choice("advantage") }),
      scale: cells({ kind: choice("scale") }),
      ratio: cells({ level: choice("ratio"), pooling: choice("pooling") }),
      gate: cells({ kind: choice("gate"), clipHigh: number("clipHigh") }),
      aggregate: cells({ kind: choice("aggregate") }),
      order: cells({ kind: choice("order"), carry: cells({ kind: choice("carry") }) }),
      filter: cells({ kind: choice("filter") }),
      regulariser: cells({
        clippingTriggered: cells({ kind: choice("clippingTriggered") }),
        entropyCoef: number("entropyCoef"),
      }),
      update: cells({
        epochs: number("epochs"),
        optimiser: cells({ kind: choice("optimiser"), learningRate: number("learningRate") }),
      }),
    });
    return recipe(this.#values["recipe"] as RecipeName, (overrides ?? {}) as RecipeOverrides);
  }
}
