import type { MetricName } from "../base/glossary";
import { didYouMean } from "../base/suggest";
import { envInfo } from "../env";
import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import { recipe as recipeOf, type RecipeName } from "../rule";
import { count, group, instance, optional, resolve, type Given } from "../schema";
import { whereItBelongs, trainSchema } from "../train/options";

const { seed: _seed, signal: _signal, resume: _resume, ...trainFields } = trainSchema.properties;

/** Options of a job that trains: the options of `train` that are plain data, and what to keep. */
const jobSchema = group({
  ...trainFields,
  last: count(20, { unit: "records", help: "Metrics are averaged over so many last records." }),
  curves: optional(
    instance<readonly MetricName[]>("a list of metrics", Array.isArray, {
      help: "Metrics whose every record is kept, for learning curves.",
    }),
  ),
});

type JobOptions = Given<typeof jobSchema>;

/** A value, or an axis of values. */
export type OneOrMany<X> = X | readonly X[];

type Data<X> = Exclude<X, Env | Policy | undefined>;

/** The options of `train` that are plain data, each a value or an axis of values; `recipe` and `env` must be there. */
export type TrainGrid = {
  readonly [K in keyof JobOptions as K extends "env" | "recipe" | "curves" ? never : K]: OneOrMany<
    Data<JobOptions[K]>
  >;
} & {
  readonly [K in "env" | "recipe"]: OneOrMany<Data<JobOptions[K]>>;
} & Pick<JobOptions, "curves">;

/**
 * Checks every value of every axis, so that no job of a sweep fails for a misspelled name.
 *
 * @param alsoKnown other names that a misspelled one may mean
 * @throws {RangeError} if a name is unknown or a value out of range
 * @throws {TypeError} if a value has the wrong type
 */
export function expectTrainGrid(
  grid: Readonly<Record<string, unknown>>,
  alsoKnown: readonly string[] = [],
): void {
  const axes = Object.entries(grid).map(([name, values]) => [name, axisOf(values)] as const);
  // An axis without a value is refused by its own name.
  if (axes.some(([, values]) => values.length === 0)) return;
  const first: Record<string, unknown> = Object.fromEntries(axes.map(([name, [value]]) => [name, value]));
  const attempt = {
    action: "sweep",
    owner: "the options",
    elsewhere: (name: string, value: unknown) =>
      whereItBelongs(first as JobOptions, name, value) ||
      didYouMean(name, [...alsoKnown, ...Object.keys(jobSchema.properties)]),
  };
  for (const [name, values] of axes) {
    for (const value of values) resolve(jobSchema, { ...first, [name]: value }, attempt);
  }
  for (const id of axisOf(grid["env"])) if (typeof id === "string") envInfo(id);
  for (const name of axisOf(grid["recipe"])) if (typeof name === "string") recipeOf(name as RecipeName);
}

const axisOf = (values: unknown): readonly unknown[] =>
  Array.isArray(values) ? (values as readonly unknown[]) : [values];
