import type { TSchema } from "@sinclair/typebox";
import { machine } from "#machine";
import type { Fields } from "./fields";
import { shapeOf } from "./shape";

/** A field that had another name before. */
export type Renamed<N extends string, F extends TSchema> = F & { readonly former: N };

/** A field under its current name; the former one is still read, for one minor version. */
export const renamed = <const N extends string, F extends TSchema>(former: N, field: F): Renamed<N, F> => ({
  ...field,
  former,
});

/** A field or choice with words that had another name before; the former ones are still read, for one minor version. */
export const renamedWords = <const W extends Readonly<Record<string, string>>, F extends TSchema>(
  formerWords: W,
  field: F,
): F & { readonly formerWords: W } => ({ ...field, formerWords });

interface Former {
  readonly former?: string;
  readonly formerWords?: Readonly<Record<string, string>>;
}

/** Called for each former name that was found, with the path of the current one. */
type Report = (former: string, now: string) => void;

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * The same values under current names. A value without former names is given back as it is.
 *
 * Where both names are given, the former one stays and is refused as unknown: nothing says which one is meant.
 */
export function withCurrentNames(
  field: TSchema,
  given: unknown,
  report: Report = () => undefined,
  path = "",
): unknown {
  const shape = shapeOf(field);
  const { formerWords } = field as Former;
  switch (shape.kind) {
    case "leaf":
      return wordOf(formerWords, given, report, path);
    case "nullable":
      return withCurrentNames(shape.inner, given, report, path);
    case "group":
      return inside(shape.fields, given, report, path);
    case "choice": {
      if (typeof given === "string") return wordOf(formerWords, given, report, path);
      if (!isPlain(given)) return given;
      const kind = wordOf(formerWords, given[shape.by], report, path);
      const named = kind === given[shape.by] ? given : { ...given, [shape.by]: kind };
      const values = shape.values.filter(({ name }) => kind === undefined || name === kind);
      return inside(Object.assign({}, ...values.map(({ fields }) => fields)) as Fields, named, report, path);
    }
  }
}

function wordOf(words: Former["formerWords"], given: unknown, report: Report, path: string): unknown {
  if (typeof given !== "string" || words === undefined || !Object.hasOwn(words, given)) return given;
  report(`${path}: "${given}"`, `${path}: "${words[given]!}"`);
  return words[given];
}

function inside(fields: Fields, given: unknown, report: Report, path: string): unknown {
  if (!isPlain(given)) return given;
  const formers = new Map(
    Object.entries(fields).flatMap(([name, field]) => {
      const { former } = field as Former;
      return former === undefined || Object.hasOwn(given, name) ? [] : [[former, name] as const];
    }),
  );
  let changed = false;
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => {
    const name = Object.hasOwn(fields, key) ? key : (formers.get(key) ?? key);
    const here = path === "" ? name : `${path}.${name}`;
    if (name !== key) report(path === "" ? key : `${path}.${key}`, here);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const current = field === undefined ? value : withCurrentNames(field, value, report, here);
    changed ||= name !== key || current !== value;
    return [name, current];
  });
  return changed ? Object.fromEntries(entries) : given;
}

const noticed = new Set<string>();

/** Says once, of each former name, what it is called now. */
export function noticeDeprecated(former: string, now: string): void {
  if (noticed.has(former)) return;
  noticed.add(former);
  machine.deprecated(`${former} is now ${now}; the former name goes with the next minor version`);
}

/** A result that also answers to the former names of its properties, and says what they are called now. They are not listed or stored. */
export function withFormerNames<T extends object>(
  result: T,
  formers: Readonly<Record<string, keyof T & string>>,
): T {
  for (const [former, now] of Object.entries(formers))
    Object.defineProperty(result, former, {
      get: () => {
        noticeDeprecated(former, now);
        return result[now];
      },
    });
  return result;
}

/** The path of a field under current names, from one that may have former ones: `update.optimizer` for `update.optimiser`. */
export function currentPath(field: TSchema, path: string): string {
  const shape = shapeOf(field);
  if (shape.kind === "nullable") return currentPath(shape.inner, path);
  if (shape.kind === "leaf") return path;
  const [first = "", ...rest] = path.split(".");
  const fields =
    shape.kind === "group" ? shape.fields : Object.assign({}, ...shape.values.map((value) => value.fields));
  for (const [name, inner] of Object.entries(fields as Fields)) {
    if (name !== first && (inner as Former).former !== first) continue;
    return rest.length === 0 ? name : `${name}.${currentPath(inner, rest.join("."))}`;
  }
  return path;
}
