import type { TSchema } from "@sinclair/typebox";
import { meaningsOf, type Fields, type Slider } from "./fields";
import { wantedOf, wordsOf } from "./leaf";
import { shapeOf } from "./shape";

/** One thing that can be set, told in data: menus, sliders, grids and help are made from it. */
export interface Knob {
  /** Path, such as `gate.clipLow`; the choice itself has the path of its field. */
  readonly path: string;
  /** `choice` and `word` have `values`; `switch` turns a group on or off; an `instance` is no data. */
  readonly type: "choice" | "word" | "switch" | "flag" | "number" | "whole" | "text" | "instance";
  readonly values?: readonly string[];
  /** Description of the valid values; completes "must be ...". */
  readonly wanted: string;
  readonly default: unknown;
  readonly nullable: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly slider?: Slider;
  readonly unit?: string;
  readonly help: string;
  /** The choices above it that it needs, path to name: `{ gate: "clip" }`; a group that must be on is `"on"`. */
  readonly when: Readonly<Record<string, string>>;
}

/** Every knob of a schema, in its order; one that several values of a choice have is told for each. */
export function knobsOf(schema: TSchema): Knob[] {
  return [...walk(schema, "", {}, false)];
}

function* walk(field: TSchema, path: string, when: Knob["when"], nullable: boolean): Generator<Knob> {
  const shape = shapeOf(field);
  switch (shape.kind) {
    case "leaf":
      yield leaf(field, path, when);
      return;
    case "nullable":
      if (shapeOf(shape.inner).kind === "group") {
        yield { ...said(field, path, when), type: "switch", wanted: "an object, or null", nullable: true };
        yield* walk(shape.inner, path, { ...when, [path]: "on" }, true);
      } else {
        yield* walk(shape.inner, path, when, true);
      }
      return;
    case "group":
      yield* inside(shape.fields, path, when);
      return;
    case "choice": {
      // What needs a value that is no data is on no menu.
      const offered = shape.values.filter(({ standIn }) => standIn === undefined);
      const values = offered.map(({ name }) => name);
      const wanted = values.map((name) => `"${name}"`).join(" or ");
      yield { ...said(field, path, when), type: "choice", values, wanted, default: values[0], nullable };
      for (const { name, fields } of offered) yield* inside(fields, path, { ...when, [path]: name });
    }
  }
}

function* inside(fields: Fields, path: string, when: Knob["when"]): Generator<Knob> {
  for (const [name, field] of Object.entries(fields)) {
    if (meaningsOf(field) !== undefined) continue;
    yield* walk(field, path === "" ? name : `${path}.${name}`, when, false);
  }
}

interface Data {
  readonly type?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly unit?: string;
  readonly slider?: Slider;
  readonly anyOf?: readonly TSchema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
}

function said(field: TSchema, path: string, when: Knob["when"]) {
  const { default: initial, description = "", unit, slider } = field as Data;
  return {
    path,
    default: initial,
    help: description,
    when,
    ...(unit !== undefined && { unit }),
    ...(slider !== undefined && { slider }),
  };
}

function leaf(field: TSchema, path: string, when: Knob["when"]): Knob {
  const { anyOf } = field as Data;
  const nullable = anyOf?.some((one) => (one as Data).type === "null") ?? false;
  const values = wordsOf(field);
  const o = (anyOf?.find((one) => (one as Data).type !== "string") ?? field) as Data;
  const minimum = o.minimum ?? o.exclusiveMinimum;
  const maximum = o.maximum ?? o.exclusiveMaximum;
  return {
    ...said(field, path, when),
    type: values === undefined ? typeOf(o) : "word",
    wanted: wantedOf(field),
    nullable,
    ...(values !== undefined && { values }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

function typeOf({ type }: Data): Knob["type"] {
  switch (type) {
    case "number":
      return "number";
    case "integer":
      return "whole";
    case "boolean":
      return "flag";
    case "string":
      return "text";
    default:
      return "instance";
  }
}
