import { withCurrentMetrics } from "../base/deprecatedMetrics";
import { recipeSchema } from "../rule/schema";
import { currentPath, withCurrentNames } from "../schema";
import { trainSchema } from "../train/options";
import type { Json } from "./json";

type Values = Readonly<Record<string, Json>>;

/** The parts of a result that hold names. */
interface NamedParts {
  readonly key: string;
  readonly cell: Values;
  readonly value: Json;
}

/** The options of training jobs under current names, in their order; each is a value or an axis of values. */
export function currentGrid(grid: Values): Values {
  const each = (value: Json): Json =>
    Array.isArray(value) ? value.map(each) : (withCurrentNames(recipeSchema, value) as Json);
  return Object.fromEntries(
    Object.entries(grid).map(([name, value]) => [
      currentPath(trainSchema, name),
      name === "recipe" ? each(value) : value,
    ]),
  );
}

/** The leaves of a rule in a label, such as `{update.optimiser.learningRate=0.3}`. */
const currentLabel = (label: string): string =>
  label.replace(/(?<=[{,])[\w.]+(?==)/g, (path) => currentPath(recipeSchema, path));

/** A result of a training job under current names. */
export function currentRow<Row extends NamedParts>(row: Row): Row {
  const { key, cell, value } = row;
  const metrics = (value as { readonly metrics?: Values } | null)?.metrics;
  return {
    ...row,
    key: currentLabel(key).replace(/(?<=^| )\w+(?==)/g, (name) =>
      name === "seed" ? name : currentPath(trainSchema, name),
    ),
    cell: Object.fromEntries(
      Object.entries(cell).map(([name, text]) => [
        currentPath(trainSchema, name),
        typeof text === "string" ? currentLabel(text) : text,
      ]),
    ),
    value: metrics === undefined ? value : { ...(value as Values), metrics: withCurrentMetrics(metrics) },
  };
}
