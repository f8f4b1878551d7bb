import { expectKnown, expectWhole } from "turnwise/internal/base/expect";
import { show } from "turnwise/internal/base/show";
import {
  compareRecipes,
  recipe,
  recipeNames,
  type RecipeNameInput,
  type Recipe,
} from "turnwise/internal/rule/index";
import { FrameworkFlags, ReadConfig, type Unsupported, type ReadTrainer, type Trainer } from "./contract";
import { Given, type FlagValues, type Without } from "./given";
import { plainName } from "../logs/plainName";
import { dotted } from "./source/tree";
import type { Unresolved } from "./source/unresolved";
import { warningsOf } from "./warnings";

/** Options of writing a rule. */
export interface FlagOptions {
  /** Number of trajectories that begin with one task; no field of a rule expresses it. Default: 8. */
  readonly groupSize?: number;
}

/** Value at a path of a rule. */
function at(rule: Recipe, field: string): string {
  const value = field
    .split(".")
    .reduce<unknown>((inside, key) => (inside as Readonly<Record<string, unknown>> | null)?.[key], rule);
  return typeof value === "object" && value !== null ? show(value) : String(value);
}

/** A field in which rules differ, and its value in each. */
interface Difference {
  readonly field: string;
  readonly values: readonly string[];
}

/**
 * The fields in which rules differ, except the optimizer. Options of a choice that differs say nothing more; a group that one of
 * them has off is written out.
 */
function apart(...rules: readonly [Recipe, Recipe]): Difference[] {
  const differences = compareRecipes(...rules).differences;
  const fields = new Set(differences.map(({ field }) => field));
  const below = ({ field, values }: Difference): boolean => {
    const parts = field.split(".");
    const above = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("."));
    return above.some((one) => fields.has(one)) || (field === "ratio.pooling" && values.includes("–"));
  };
  return differences
    .filter((one) => !one.field.startsWith("update.optimizer") && !below(one))
    .map(({ field, values }) => ({
      field,
      values: values.map((text, i) => (text === "–" && values.includes("off") ? at(rules[i]!, field) : text)),
    }));
}

type Weights = Readonly<Record<string, number>>;

/** Cost of a difference when a rule is written: the advantage and the gate cost most. */
const costs: Weights = { advantage: 15, gate: 12 };

/** Weight of a difference when a rule is named: its advantage first, then its gate. */
const names: Weights = { advantage: 40, gate: 12 };

/** Distance between rules: another choice counts more than an option, an option more than how often a batch is used. */
const distance = (differences: readonly Difference[], weights: Weights): number =>
  differences.reduce((sum, { field, values }) => {
    if (field.startsWith("update.") && !field.startsWith("update.stepScale")) return sum + 0.1;
    const isKnob = values.every((text) => text === "true" || text === "false" || !Number.isNaN(Number(text)));
    return sum + (isKnob ? 1 : (weights[field] ?? 10));
  }, 0);

/** The name of the closest rule; of those that are about as close, the first, as plainer rules come before their variants. */
function nearest(distances: readonly number[]): Recipe["name"] {
  const least = Math.min(...distances);
  const spare = least < 1 ? 0 : 1.5;
  return recipeNames[distances.findIndex((one) => one <= least + spare)]!;
}

const onPolicy = "a batch is used for one step, where the ratio is 1: another loss with the same gradient";

function unsupportedBy(
  rule: Recipe,
  computed: Recipe,
  without: readonly Without[],
  hints: Trainer["hints"],
): Unsupported[] {
  const { epochs, minibatches } = rule.update;
  const once =
    rule.ratio.level === "none" && epochs * minibatches === 1 && computed.gate.kind === "unclipped";
  const hint = (field: string): string | undefined => {
    if (once && ["ratio.level", "gate"].includes(field)) return onPolicy;
    return Object.entries(hints).find(([path]) => field === path || field.startsWith(`${path}.`))?.[1];
  };
  const stated = without.flatMap(({ field, does }) => (field === undefined ? [] : [{ field, actual: does }]));
  const found = apart(rule, computed)
    .filter(({ field }) => !stated.some((one) => field === one.field || field.startsWith(`${one.field}.`)))
    .map(({ field, values }) => {
      const why = hint(field);
      return { field, expected: values[0]!, actual: values[1]!, ...(why !== undefined && { why }) };
    });
  return [...found, ...stated.map((one) => ({ ...one, expected: at(rule, one.field) }))];
}

/** No trainer here changes its learning rate from step to step by what a batch weighs. */
const plainSteps = { stepScale: "none" } as const;

/** Loss of a rule in translation. */
const lost = (unsupported: readonly Unsupported[]): number =>
  distance(
    unsupported.flatMap(({ field, expected, actual, why }) =>
      why === onPolicy ? [] : [{ field, values: [expected, actual] }],
    ),
    costs,
  );

/** A rule as flags: of the ways to write it, the one that expresses most of it. */
export function flagsOf(
  trainer: Trainer,
  of: RecipeNameInput | Recipe,
  options: FlagOptions = {},
): FrameworkFlags {
  const action = `write flags of ${trainer.title}`;
  expectKnown(action, options, ["groupSize"]);
  const { groupSize = 8 } = options;
  expectWhole(action, "groupSize", groupSize, 2);
  const rule = typeof of === "object" && of !== null ? of : recipe(of);
  const ways = trainer.write(rule, groupSize).map((flags) => {
    const given = new Given(flags, `flags of ${trainer.title}`);
    const { update, ...fields } = trainer.read(given);
    const computed = recipe(rule.name, {
      ...fields,
      update: { ...update, ...plainSteps, optimizer: rule.update.optimizer },
    });
    const unsupported = unsupportedBy(rule, computed, given.without, trainer.hints);
    const notes = [
      ...given.notes,
      `groups of ${groupSize}, which are not part of the rule`,
      "learning rate and optimizer: trainer defaults",
    ];
    return new FrameworkFlags(
      trainer.title,
      trainer.version,
      rule,
      flags,
      unsupported,
      notes,
      computed,
      trainer.text(flags),
    );
  });
  return ways.reduce((best, one) => (lost(one.unsupported) < lost(best.unsupported) ? one : best));
}

/**
 * The flags of a configuration under the names of today.
 *
 * @throws {TypeError} if it is no object of flags or its JSON
 */
export function givenOf(trainer: ReadTrainer, config: string | FlagValues): Given {
  return new Given(currentFlags(trainer, config), `a configuration of ${trainer.title}`);
}

/**
 * Flags by the names of today, and with `--no-x` as x=false.
 *
 * @throws {TypeError} if it is no object of flags or its JSON
 */
export function currentFlags(
  trainer: ReadTrainer,
  config: string | FlagValues,
): Readonly<Record<string, unknown>> {
  const what = `a configuration of ${trainer.title}`;
  const values = typeof config === "string" ? parsed(config, what) : config;
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    throw new TypeError(
      `Cannot read ${what}: it must be an object of flags or its JSON, got ${show(values)}.`,
    );
  }
  const flags = dotted(values as Readonly<Record<string, unknown>>);
  return renamed(withNegated(flags, trainer), trainer.formerNames);
}

/** A configuration as a rule. */
export function readConfig(
  trainer: ReadTrainer,
  config: string | FlagValues,
  unresolved: readonly Unresolved[] = [],
): ReadConfig {
  const given = givenOf(trainer, config);
  const { update, ...fields } = trainer.read(given);
  const optimizer = trainer.optimizer(given);
  const groupSize = trainer.groupSize(given);
  const as = (name: Recipe["name"]): Recipe =>
    recipe(name, {
      ...fields,
      update: {
        ...update,
        ...plainSteps,
        optimizer: { ...recipe(name).update.optimizer, ...optimizer } as never,
      },
    });
  const plainly = as("grpo");
  const name = nearest(recipeNames.map((one) => distance(apart(recipe(one), plainly), names)));
  return new ReadConfig(
    as(name),
    groupSize,
    given.unused,
    given.without,
    given.notes,
    apart(recipe(name), as(name)),
    trainer.title,
    trainer.version,
    [
      ...warningsOf(as(name), {
        comparesWithSampler: trainer.comparesWithSampler === true,
        hasEngine: trainer.hasEngine?.(given) ?? true,
      }),
      ...unresolved.flatMap((one) => unresolvedInWords(one, given, trainer)),
    ],
  );
}

/**
 * A setting that could not be read. The default stands in for a flag of a rule; of those whose value depends on a shell, the others are
 * passed over.
 */
function unresolvedInWords({ name, text, line }: Unresolved, given: Given, trainer: ReadTrainer): string[] {
  const asked = given.wasAsked(trainer.formerNames?.[name] ?? name);
  if (text === undefined) {
    return asked
      ? [`the value of ${name} depends on the shell that runs the script: its default was taken`]
      : [];
  }
  const at = line === undefined ? "" : `, line ${line}`;
  const means = asked ? ": its default was taken" : name === text ? ": any setting may be in it" : "";
  return [`could not be read: ${plainName(text)}${at}${means}`];
}

/** `--no_use_vllm` and `--no-use_vllm` are argparse's and tyro's way to say that a flag is false. */
function withNegated(
  flags: Readonly<Record<string, unknown>>,
  { names, tells, formerNames = {} }: ReadTrainer,
): Readonly<Record<string, unknown>> {
  const own = new Set([...Object.keys(formerNames), ...Object.values(formerNames)]);
  return Object.fromEntries(
    Object.entries(flags).map(([name, value]) => {
      const plain = name.replace(/(^|\.)no[_-](?=[^.]+$)/, "$1");
      const isNegated =
        plain !== name && value === true && !own.has(name) && !names.test(name) && !tells.test(name);
      return isNegated ? [plain, false] : [name, value];
    }),
  );
}

function renamed(
  flags: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, value]) => {
      const now = Object.hasOwn(names, name) ? names[name]! : name;
      return [Object.hasOwn(flags, now) ? name : now, value];
    }),
  );
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new TypeError(
      `Cannot read ${what}: its text must be JSON: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
