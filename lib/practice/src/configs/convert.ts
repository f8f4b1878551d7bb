import { expectKnown, expectWhole } from "turnwise/internal/base/expect";
import { show } from "turnwise/internal/base/show";
import {
  compareRecipes,
  recipe,
  recipeNames,
  type GivenName,
  type Recipe,
} from "turnwise/internal/rule/index";
import type { Difference } from "turnwise/internal/rule/compare";
import { FrameworkFlags, ReadConfig, type Cannot, type ReadTrainer, type Trainer } from "./contract";
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
function at(row: Recipe, cell: string): string {
  const value = cell
    .split(".")
    .reduce<unknown>((inside, key) => (inside as Readonly<Record<string, unknown>> | null)?.[key], row);
  return typeof value === "object" && value !== null ? show(value) : String(value);
}

/**
 * The cells in which rows differ, but for the optimizer. Knobs of a choice that differs say nothing more; a group that one of them
 * has off is written out.
 */
function apart(...rows: readonly [Recipe, Recipe]): Difference[] {
  const { differences } = compareRecipes(...rows);
  const cells = new Set(differences.map(({ cell }) => cell));
  const below = ({ cell, values }: Difference): boolean => {
    const parts = cell.split(".");
    const above = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("."));
    return above.some((one) => cells.has(one)) || (cell === "ratio.pooling" && values.includes("–"));
  };
  return differences
    .filter((one) => !one.cell.startsWith("update.optimizer") && !below(one))
    .map(({ cell, values }) => ({
      cell,
      values: values.map((text, i) => (text === "–" && values.includes("off") ? at(rows[i]!, cell) : text)),
    }));
}

type Weights = Readonly<Record<string, number>>;

/** Cost of a difference when a rule is written: the advantage and the gate cost most. */
const costs: Weights = { advantage: 15, gate: 12 };

/** Weight of a difference when a rule is named: its advantage first, then its gate. */
const names: Weights = { advantage: 40, gate: 12 };

/** Distance between rules: another choice counts more than an option, an option more than how often a batch is used. */
const distance = (differences: readonly Difference[], weights: Weights): number =>
  differences.reduce((sum, { cell, values }) => {
    if (cell.startsWith("update.")) return sum + 0.1;
    const isKnob = values.every((text) => text === "true" || text === "false" || !Number.isNaN(Number(text)));
    return sum + (isKnob ? 1 : (weights[cell] ?? 10));
  }, 0);

/** The name of the nearest row; of those that are about as far, the first, as the plainer rows stand before their kin. */
function nearest(distances: readonly number[]): Recipe["name"] {
  const least = Math.min(...distances);
  const spare = least < 1 ? 0 : 1.5;
  return recipeNames[distances.findIndex((one) => one <= least + spare)]!;
}

const onPolicy = "a batch is used for one step, where the ratio is 1: another loss with the same gradient";

function cannotOf(row: Recipe, does: Recipe, without: readonly Without[], hints: Trainer["hints"]): Cannot[] {
  const { epochs, minibatches } = row.update;
  const once = row.ratio.level === "none" && epochs * minibatches === 1 && does.gate.kind === "unclipped";
  const hint = (cell: string): string | undefined => {
    if (once && ["ratio.level", "gate"].includes(cell)) return onPolicy;
    return Object.entries(hints).find(([path]) => cell === path || cell.startsWith(`${path}.`))?.[1];
  };
  const told = without.flatMap(({ cell, does }) => (cell === undefined ? [] : [{ cell, does }]));
  const found = apart(row, does)
    .filter(({ cell }) => !told.some((one) => cell === one.cell || cell.startsWith(`${one.cell}.`)))
    .map(({ cell, values }) => {
      const why = hint(cell);
      return { cell, wanted: values[0]!, does: values[1]!, ...(why !== undefined && { why }) };
    });
  return [...found, ...told.map((one) => ({ ...one, wanted: at(row, one.cell) }))];
}

/** Loss of a rule in translation. */
const lost = (cannot: readonly Cannot[]): number =>
  distance(
    cannot.flatMap(({ cell, wanted, does, why }) =>
      why === onPolicy ? [] : [{ cell, values: [wanted, does] }],
    ),
    costs,
  );

/** A row as flags: of the ways to write it, the one that leaves least unsaid. */
export function flagsOf(trainer: Trainer, of: GivenName | Recipe, options: FlagOptions = {}): FrameworkFlags {
  const action = `write flags of ${trainer.title}`;
  expectKnown(action, options, ["groupSize"]);
  const { groupSize = 8 } = options;
  expectWhole(action, "groupSize", groupSize, 2);
  const row = typeof of === "object" && of !== null ? of : recipe(of);
  const ways = trainer.write(row, groupSize).map((flags) => {
    const given = new Given(flags, `flags of ${trainer.title}`);
    const { update, ...cells } = trainer.read(given);
    const does = recipe(row.name, { ...cells, update: { ...update, optimizer: row.update.optimizer } });
    const cannot = cannotOf(row, does, given.without, trainer.hints);
    const besides = [
      ...given.besides,
      `groups of ${groupSize}, which no cell says`,
      "step size and optimizer are left to it",
    ];
    return new FrameworkFlags(
      trainer.title,
      trainer.version,
      row,
      flags,
      cannot,
      besides,
      does,
      trainer.text(flags),
    );
  });
  return ways.reduce((best, one) => (lost(one.cannot) < lost(best.cannot) ? one : best));
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

/** A configuration as a row. */
export function readConfig(
  trainer: ReadTrainer,
  config: string | FlagValues,
  unresolved: readonly Unresolved[] = [],
): ReadConfig {
  const given = givenOf(trainer, config);
  const { update, ...cells } = trainer.read(given);
  const optimizer = trainer.optimizer(given);
  const groupSize = trainer.groupSize(given);
  const as = (name: Recipe["name"]): Recipe =>
    recipe(name, {
      ...cells,
      update: { ...update, optimizer: { ...recipe(name).update.optimizer, ...optimizer } as never },
    });
  const plainly = as("grpo");
  const name = nearest(recipeNames.map((one) => distance(apart(recipe(one), plainly), names)));
  return new ReadConfig(
    as(name),
    groupSize,
    given.unused,
    given.without,
    given.besides,
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
