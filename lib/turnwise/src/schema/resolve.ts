import type { Static, TSchema } from "@sinclair/typebox";
import { didYouMean, unknownOption } from "../base/suggest";
import { show } from "../base/show";
import { noticeDeprecated, withCurrentNames } from "./deprecatedNames";
import { meaningsOf, type Fields, type Group } from "./fields";
import { judge, quoted, wantedOf, wordsOf } from "./leaf";
import { pathsOf } from "./paths";
import { shapeOf, type Value } from "./shape";

/** Action that the caller was about to take, for the errors. */
export interface Attempt {
  /** Completes "Cannot ...", such as `make recipe grpo`. */
  readonly action: string;
  /** Owner of the outermost fields, such as `a recipe`. */
  readonly owner: string;
  /** Ends the refusal of an unknown outermost name that belongs somewhere else; nothing where it does not. */
  readonly elsewhere?: (name: string, value: unknown) => string;
}

type Cells = Readonly<Record<string, unknown>>;

const isCells = (value: unknown): value is Cells =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Complete, frozen settings: what was given, laid over `base`, laid over the defaults; every value is checked.
 *
 * Naming another value of a choice starts from the defaults of that value, and keeps the knobs that both have. A bare
 * string names a value: `{ gate: "clip" }` is `{ gate: { kind: "clip" } }`.
 *
 * @throws {RangeError} if a name is unknown or a value out of range
 * @throws {TypeError} if a value has another type
 */
export function resolve<F extends Fields>(
  schema: Group<F>,
  given: unknown,
  attempt: Attempt,
  base?: unknown,
): Static<Group<F>> {
  const current = withCurrentNames(schema, given ?? {}, noticeDeprecated);
  return new Resolution(schema, attempt).lay(schema, "", withCurrentNames(schema, base), current) as Static<
    Group<F>
  >;
}

class Resolution {
  constructor(
    readonly root: TSchema,
    readonly attempt: Attempt,
  ) {}

  lay(field: TSchema, path: string, base: unknown, given: unknown): unknown {
    const shape = shapeOf(field);
    switch (shape.kind) {
      case "leaf":
        return this.#leaf(field, path, base, given);
      case "nullable":
        if (given === null || (given === undefined && (base ?? null) === null)) return null;
        return this.lay(shape.inner, path, base ?? undefined, given);
      case "group":
        return this.#group(shape.fields, path, base, this.#opened(shape.fields, given ?? {}));
      case "choice":
        return this.#choice(shape, path, base, given);
    }
  }

  #leaf(field: TSchema, path: string, base: unknown, given: unknown): unknown {
    const value: unknown = given === undefined ? (base === undefined ? field.default : base) : given;
    if (value === undefined && "leftOut" in field) return undefined;
    const verdict = judge(field, value);
    if (verdict === "fits") return value;
    const wanted = wantedOf(field);
    const typed =
      verdict === "another type" && /^(above|below|at|from) /.test(wanted) ? `a number ${wanted}` : wanted;
    const close = typeof value === "string" ? didYouMean(value, wordsOf(field) ?? []) : "";
    this.#refuse(path, typed, value, verdict === "another type" ? TypeError : RangeError, close);
  }

  #group(fields: Fields, path: string, base: unknown, given: unknown): Cells {
    if (!isCells(given)) this.#refuse(path, "an object", given, TypeError);
    const outermost = path === "";
    this.#refuseUnknown(
      path,
      outermost ? this.attempt.owner : path,
      given,
      Object.keys(fields),
      outermost ? this.attempt.elsewhere : undefined,
    );
    return this.#fields(fields, path, base, given);
  }

  #fields(fields: Fields, path: string, base: unknown, given: Cells): Cells {
    const before = isCells(base) ? base : {};
    const spelledOut = this.#spelledOut(fields, path, given);
    const own = (fields: Cells, name: string): unknown =>
      Object.hasOwn(fields, name) ? fields[name] : undefined;
    const laid = Object.entries(fields)
      .map(([name, field]): [string, unknown] => [
        name,
        this.lay(field, path === "" ? name : `${path}.${name}`, own(before, name), own(spelledOut, name)),
      ])
      .filter(([, value]) => value !== undefined);
    return Object.freeze(Object.fromEntries(laid));
  }

  /** Meaning of a shorthand, overridden by the fields given next to it. */
  #spelledOut(fields: Fields, path: string, given: Cells): Cells {
    for (const [name, field] of Object.entries(fields)) {
      const meanings = meaningsOf(field);
      if (meanings === undefined || given[name] === undefined) continue;
      const { [name]: word, ...beside } = given;
      this.#leaf(field, path === "" ? name : `${path}.${name}`, undefined, word);
      return { ...meanings[word as string], ...beside };
    }
    return given;
  }

  #choice(
    { by, values }: { readonly by: string; readonly values: readonly Value[] },
    path: string,
    base: unknown,
    given: unknown,
  ): Cells {
    const wanted = this.#written(by, values, given);
    if (typeof given === "function" && values.some(({ standIn }) => standIn !== undefined)) {
      const hint = `\nWrite custom("mine", f).`;
      this.#refuse(path, "a name, an object or a function with a label", given, TypeError, hint);
    }
    if (!isCells(wanted)) this.#refuse(path, "an object", given, TypeError);
    const before = isCells(base) ? base : {};
    const name = wanted[by] ?? before[by] ?? values[0]!.name;
    const value = values.find((one) => one.name === name);
    const names = values.filter((one) => one.standIn === undefined).map((one) => one.name);
    if (value === undefined) {
      const close = typeof name === "string" ? didYouMean(name, names) : "";
      this.#refuse(`${path}.${by}`, quoted(names), name, RangeError, close);
    }
    const { [by]: _, ...knobs } = wanted;
    const known = Object.keys(value.fields);
    const owner = `${path} with ${by} "${value.name}"`;
    this.#refuseUnknown(path, owner, knobs, known, (unknown) => {
      const others = values
        .filter(({ fields, standIn }) => standIn === undefined && Object.hasOwn(fields, unknown))
        .map((one) => one.name);
      return others.length === 0 ? "" : `\nOnly ${by} ${quoted(others)} has it.`;
    });
    const { [by]: __, ...kept } = before;
    return Object.freeze({ [by]: value.name, ...this.#fields(value.fields, path, kept, knobs) });
  }

  /** A group as it is written out: what stands in for it becomes an object. */
  #opened(fields: Fields, given: unknown): unknown {
    const own = Object.entries(fields).find(([, field]) => "standsForGroup" in field);
    return own !== undefined && judge(own[1], given) === "fits" ? { [own[0]]: given } : given;
  }

  /** A choice as it is written out: a bare name, or what stands in for the choice, becomes an object. */
  #written(by: string, values: readonly Value[], given: unknown): unknown {
    if (typeof given === "string") return { [by]: given };
    for (const { name, fields, standIn } of values) {
      if (standIn === undefined) continue;
      const fits = (value: unknown): boolean => judge(fields[standIn]!, value) === "fits";
      if (fits(given)) return { [by]: name, [standIn]: given };
      if (isCells(given) && given[by] === undefined && fits(given[standIn])) return { [by]: name, ...given };
    }
    return given ?? {};
  }

  #refuseUnknown(
    path: string,
    owner: string,
    given: Cells,
    known: readonly string[],
    elsewhere: (unknown: string, value: unknown) => string = () => "",
  ): void {
    for (const [name, value] of Object.entries(given)) {
      if (known.includes(name) || value === undefined) continue;
      const hint = elsewhere(name, value) || didYouMean(name, known) || this.#byLastName(name);
      const full = path === "" ? name : `${path}.${name}`;
      throw new RangeError(unknownOption(this.attempt.action, full, owner, known, hint));
    }
  }

  /** A knob that someone looks for in the wrong place: `clipLow` for `gate.clipLow`. */
  #byLastName(name: string): string {
    const path = pathsOf(this.root).find((one) => one.endsWith(`.${name}`));
    return path === undefined ? "" : `\nDid you mean "${path}"?`;
  }

  #refuse(
    path: string,
    wanted: string,
    value: unknown,
    kind: typeof RangeError | typeof TypeError,
    hint = "",
  ): never {
    const what = path === "" ? this.attempt.owner : path;
    throw new kind(`Cannot ${this.attempt.action}: ${what} must be ${wanted}, got ${show(value)}.${hint}`);
  }
}
