import katex from "katex";
import { envInfo, registeredIds } from "turnwise/internal/env/index";
import { asInRule, places, settingKnobs, Settings } from "turnwise/internal/play/settings";
import { knobsOf } from "turnwise/internal/schema/index";
import { citations, recipe, recipeNames } from "turnwise/internal/rule/index";
import { recipeGroups } from "turnwise/internal/rule/recipes";
import { recipeSchema } from "turnwise/internal/rule/schema";
import { advantageKinds } from "turnwise/internal/rule/advantage/index";
import { aggregates } from "turnwise/internal/rule/aggregate/index";
import { corrections } from "turnwise/internal/rule/correction/index";
import { filters } from "turnwise/internal/rule/filter/index";
import { gates } from "turnwise/internal/rule/gate/index";
import { orders } from "turnwise/internal/rule/order/index";
import { ratios } from "turnwise/internal/rule/ratio/index";
import { poolings } from "turnwise/internal/rule/ratio/pooling";
import { clippingTriggeredKinds } from "turnwise/internal/rule/regularizer/triggered/index";
import { scales } from "turnwise/internal/rule/scale/index";
import type { Catalog, Choice, Knob, Name, Value } from "./catalog";

interface Told {
  readonly help?: string;
  readonly equation?: string;
  readonly source?: string;
}

const tables: Readonly<Partial<Record<Name, Readonly<Record<string, Told>>>>> = {
  advantage: advantageKinds,
  scale: scales,
  correction: corrections,
  ratio: ratios,
  pooling: poolings,
  gate: gates,
  aggregate: aggregates,
  order: orders,
  filter: filters,
  clippingTriggered: clippingTriggeredKinds,
};

const mathOf = (equation: string): string =>
  equation === ""
    ? ""
    : katex
        .renderToString(equation, { output: "mathml", throwOnError: false, strict: "ignore" })
        // The source in LaTeX, which nobody sees.
        .replace(/<annotation[\s\S]*?<\/annotation>/g, "");

function knobOf(knob: (typeof settingKnobs)[Name]): Knob {
  if ("kind" in knob)
    return knob.kind === "log"
      ? { min: knob.min, max: knob.max, isWhole: false, isLog: true }
      : { words: [] };
  if (typeof knob[0] === "string")
    return { words: (knob as readonly string[]).filter((one) => one !== asInRule) };
  const range = knob as readonly number[];
  return { min: range[0]!, max: range[1]!, isWhole: range.every(Number.isInteger), isLog: false };
}

const names = (Object.keys(settingKnobs) as (keyof typeof settingKnobs)[]).filter(
  (name): name is Name => name !== "env" && name !== "recipe",
);

/** Value of a rule at each place that is a setting. */
function valuesOf(name: (typeof recipeNames)[number]): Partial<Record<Name, Value>> {
  const rule = recipe(name);
  return Object.fromEntries(
    Object.entries(places).flatMap(([setting, place]): [string, Value][] => {
      const value = place
        .split(".")
        .reduce<unknown>((cell, key) => (cell as Record<string, unknown> | null | undefined)?.[key], rule);
      return typeof value === "string" || typeof value === "number" ? [[setting, value]] : [];
    }),
  );
}

/** Facts for the playground's page, from the library's own data. */
export function makeCatalog(): Catalog {
  const helps = new Map(knobsOf(recipeSchema).map(({ path, help }) => [path, help]));
  const { values } = new Settings({});
  const sampling = Object.fromEntries(
    names.filter((name) => !(name in places)).map((name) => [name, values[name]!]),
  );
  return {
    knobs: Object.fromEntries(names.map((name) => [name, knobOf(settingKnobs[name])])) as Catalog["knobs"],
    sampling,
    groups: recipeGroups.map(({ title, names: inGroup }) => ({
      title,
      rules: inGroup.map((name) => ({ name, title: citations[name].title, values: valuesOf(name) })),
    })),
    choices: Object.fromEntries(
      Object.entries(tables).map(([name, table]) => [
        name,
        Object.fromEntries(
          Object.entries(table).map(
            ([value, { help = "", equation = "", source = "" }]): [string, Choice] => [
              value,
              { help, equation: mathOf(equation), source },
            ],
          ),
        ),
      ]),
    ),
    fields: Object.fromEntries(
      Object.entries(places).map(([name, place]) => [
        name,
        helps.get(place) ?? helps.get(place.replace(/\.\w+$/, "")) ?? "",
      ]),
    ),
    worlds: registeredIds()
      .map((id) => ({ id, about: envInfo(id).about ?? "", isExact: envInfo(id).cheapToEnumerate === true }))
      .sort((a, b) => Number(b.isExact) - Number(a.isExact)),
  };
}
