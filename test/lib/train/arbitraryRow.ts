// Uses internals of turnwise/rule, turnwise/schema.
import type { TSchema } from "@sinclair/typebox";
import fc, { type Arbitrary } from "fast-check";
import { recipe, type Recipe, type RecipeOverrides } from "turnwise";
import { recipeSchema } from "turnwise/internal/rule/schema";
import { judge } from "turnwise/internal/schema/leaf";
import { shapeOf } from "turnwise/internal/schema/shape";

const of = fc.constantFrom;
const between = (min: number, max: number): Arbitrary<number> => fc.double({ min, max, noNaN: true });

/**
 * What knobs are drawn from, by the end of their path: numbers that matter in small worlds and do not make training diverge,
 * where rounding would grow with it. Any other number is its default, half of it or twice as much.
 */
const drawn: Readonly<Record<string, Arbitrary<number>>> = {
  "overlong.maxLength": of(3, 6),
  "overlong.buffer": of(1, 3),
  maxGenerations: of(1, 2, 4),
  fraction: of(0.25, 0.5, 1),
  minGroup: of(1, 2, 3),
  gamma: of(0, 0.5, 0.95, 1),
  lambda: of(0, 0.5, 0.95, 1),
  gammaTurn: of(0, 0.5, 1),
  lambdaTurn: of(0, 0.5, 1),
  coef: of(0, 0.01, 0.3),
  "clippingTriggered.lambda": of(0, 0.01, 0.3),
  entropyCoef: of(0, 0.01, 0.3),
  target: of(0.2, 1, 2),
  "entropyTarget.step": of(0, 0.01),
  entropyShare: of(1, 1, 0.5, 0.2),
  "covariance.share": of(0, 0.05, 0.3),
  "covariance.min": of(-1, 0.05, 0.3),
  floor: of(0.1, 1),
  "scale.epsilon": of(1e-6, 1e-3, 0.5),
  clamp: between(0.2, 2),
  clipLow: between(0.01, 0.5),
  clipHigh: between(0.01, 0.5),
  dualClip: between(1.01, 2),
  low: between(0.5, 1),
  high: between(1, 1.5),
  length: of(1, 2.5),
  epochs: of(1, 2, 3),
  minibatches: of(1, 2, 5),
  learningRate: between(0.01, 0.5),
  beta1: of(0, 0.5, 0.9),
  beta2: of(0.5, 0.999),
  "optimizer.epsilon": of(1e-3, 0.1),
  maxGradNorm: between(0.05, 1),
};

/** A choice somewhere in a row, and what it is to be. */
export interface Fixed {
  /** Such as "order.carry". */
  readonly path: string;
  readonly value: string;
}

/** Every value of every choice of a row. */
export function everyValue(field: TSchema = recipeSchema, path = ""): Fixed[] {
  const shape = shapeOf(field);
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const within = (fields: Readonly<Record<string, TSchema>>): Fixed[] =>
    Object.entries(fields).flatMap(([name, inner]) => everyValue(inner, at(name)));
  if (shape.kind === "group") return within(shape.fields);
  if (shape.kind === "nullable") return everyValue(shape.inner, path);
  if (shape.kind === "leaf") return [];
  // What needs a custom function is in no table: test/lib/rule/custom.test.ts has it.
  const named = shape.values.filter(({ standIn }) => standIn === undefined);
  const found = named.flatMap(({ name, fields }) => [{ path, value: name }, ...within(fields)]);
  return found.filter((one, k) => found.findIndex((o) => o.path === one.path && o.value === one.value) === k);
}

/** Which values of the choice at a path may be drawn; without it all. */
export type Allowed = (path: string, value: string) => boolean;

/** Any row that `recipe` accepts, made from the schema, with one choice fixed and values left out if wanted. */
export function arbitraryRow(fixed?: Fixed, allowed: Allowed = () => true): Arbitrary<Recipe> {
  return fc
    .infiniteStream(anyOf(recipeSchema, "", { fixed, allowed }))
    .map((drafts) => accepted(drafts as Iterator<Draft>, fixed))
    .filter((row) => row !== undefined);
}

type Draft = Readonly<Record<string, unknown>>;

/** The limits of what is drawn. */
interface Limits {
  readonly fixed: Fixed | undefined;
  readonly allowed: Allowed;
}

function anyOf(field: TSchema, path: string, limits: Limits): Arbitrary<unknown> {
  const { fixed, allowed } = limits;
  const shape = shapeOf(field);
  const record = (fields: Readonly<Record<string, TSchema>>): Arbitrary<Record<string, unknown>> =>
    fc.record(
      Object.fromEntries(
        Object.entries(fields).map(([name, inner]) => [
          name,
          anyOf(inner, path === "" ? name : `${path}.${name}`, limits),
        ]),
      ),
    );
  switch (shape.kind) {
    case "leaf":
      return leaf(field, path);
    case "group":
      return record(shape.fields);
    case "nullable":
      return fc.option(anyOf(shape.inner, path, limits));
    case "choice": {
      const { by } = shape;
      const wanted = shape.values.filter(({ name, fields, standIn }) => {
        if (standIn !== undefined || !allowed(path, name)) return false;
        if (fixed?.path === path) return name === fixed.value;
        return !fixed?.path.startsWith(`${path}.`) || fixed.path.slice(path.length + 1) in fields;
      });
      return fc.oneof(
        ...wanted.map(({ name, fields }) => record(fields).map((rest) => ({ [by]: name, ...rest }))),
      );
    }
  }
}

function leaf(field: TSchema, path: string): Arbitrary<unknown> {
  if ("standsIn" in field || "meanings" in field) return fc.constant(undefined);
  const members = field["anyOf"] as readonly TSchema[] | undefined;
  if (members) return fc.oneof(...members.map((member) => leaf(member, path)));
  if ("const" in field) return fc.constant(field["const"]);
  if (field["type"] === "null") return fc.constant(null);
  if (field["type"] === "boolean") return fc.boolean();
  const [, known] = Object.entries(drawn).find(([end]) => `.${path}`.endsWith(`.${end}`)) ?? [];
  if (known) return known;
  const initial = Number(field["default"]);
  return of(...[initial, initial / 2, 2 * initial].filter((x) => judge(field, x) === "fits"));
}

/**
 * The first draft, with whatever `recipe` refuses in it taken from the drafts that follow.
 *
 * Hardly one draft in a hundred is accepted as it stands: where a refusal names a field, only the object around that field is
 * drawn again. What is fixed must not change, so when it is what is refused, the whole next draft is taken instead.
 */
function accepted(drafts: Iterator<Draft>, fixed: Fixed | undefined): Recipe | undefined {
  const next = (): Draft => drafts.next().value as Draft;
  let draft = next();
  for (let attempt = 0; attempt < 300; attempt++) {
    try {
      return recipe("reinforce", draft as RecipeOverrides);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const [, field = ""] = /: ([\w.]+) must /.exec(error.message) ?? [];
      const around = field.split(".").slice(0, -1);
      const isFixed = fixed !== undefined && `${fixed.path}.`.startsWith(`${around.join(".")}.`);
      draft = around.length === 0 || isFixed ? next() : replaced(draft, around, next());
    }
  }
  return undefined;
}

/** A draft with what another has at a path, or as near to its end as both have something. */
function replaced(draft: Draft, [name = "", ...rest]: readonly string[], other: Draft): Draft {
  const [mine, its] = [draft[name], other[name]];
  const deeper = rest.length > 0 && isObject(mine) && isObject(its);
  return { ...draft, [name]: deeper ? replaced(mine, rest, its) : its };
}

function isObject(value: unknown): value is Draft {
  return typeof value === "object" && value !== null;
}
