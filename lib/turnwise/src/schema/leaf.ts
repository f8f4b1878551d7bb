import type { TSchema } from "@sinclair/typebox";

/** The keywords of JSON Schema that our fields use. */
interface Keywords {
  readonly type?: "number" | "integer" | "boolean" | "string" | "null";
  readonly const?: unknown;
  readonly anyOf?: readonly TSchema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly wanted?: string;
  readonly accepts?: (value: unknown) => boolean;
}

/** Description of the valid values of a field of a single value; completes "must be ...". */
export function wantedOf(field: TSchema): string {
  const o = field as Keywords;
  if (o.wanted !== undefined) return o.wanted;
  if (o.anyOf !== undefined) {
    const members = o.anyOf.filter((member) => !isNull(member));
    const words = members.map((member, i) => (i > 0 ? article(member) : "") + wantedOf(member)).join(" or ");
    return members.length < o.anyOf.length ? `${words}, or null` : words;
  }
  if (o.const !== undefined) return JSON.stringify(o.const);
  if (o.type === "boolean") return "true or false";
  if (o.type === "string") return "text";
  const range = rangeOf(o);
  if (o.type === "integer") return range === "" ? "an integer" : `an integer ${preposition(o, range)}`;
  return range === "" ? "a finite number" : range;
}

/** The words of a list, as a sentence of ours has them. */
export const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(" or ");

const isNull = (field: TSchema): boolean => field["type"] === "null";

/** The words that a field may be; undefined where it may be anything else. */
export function wordsOf(field: TSchema): readonly string[] | undefined {
  const words = (field as Keywords).anyOf?.map((member) => (member as Keywords).const);
  return words?.every((word) => typeof word === "string") === true ? words : undefined;
}

const article = (field: TSchema): string => (field["type"] === "number" ? "a number " : "");

const preposition = ({ minimum, maximum }: Keywords, range: string): string =>
  minimum !== undefined && maximum !== undefined ? range : minimum !== undefined ? `of ${range}` : range;

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Keywords): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  const low =
    exclusiveMinimum !== undefined
      ? [`above ${exclusiveMinimum}`]
      : minimum !== undefined
        ? [`at least ${minimum}`]
        : [];
  const high =
    exclusiveMaximum !== undefined
      ? [`below ${exclusiveMaximum}`]
      : maximum !== undefined
        ? [`at most ${maximum}`]
        : [];
  return [...low, ...high].join(" and ");
}

/** Whether a value is of the field's type; if so, whether it is also in range. */
export function judge(field: TSchema, value: unknown): "fits" | "out of range" | "another type" {
  const o = field as Keywords;
  if (o.accepts !== undefined) return o.accepts(value) ? "fits" : "another type";
  if (o.anyOf !== undefined) {
    const all = o.anyOf.map((member) => judge(member, value));
    return all.find((one) => one === "fits") ?? all.find((one) => one === "out of range") ?? "another type";
  }
  if (o.const !== undefined) {
    return value === o.const ? "fits" : typeof value === "string" ? "out of range" : "another type";
  }
  switch (o.type) {
    case "null":
      return value === null ? "fits" : "another type";
    case "boolean":
    case "string":
      return typeof value === o.type ? "fits" : "another type";
    default:
      if (typeof value !== "number") return "another type";
      return within(o, value) ? "fits" : "out of range";
  }
}

function within(o: Keywords, value: number): boolean {
  return (
    Number.isFinite(value) &&
    (o.type !== "integer" || Number.isInteger(value)) &&
    !(o.minimum !== undefined && value < o.minimum) &&
    !(o.exclusiveMinimum !== undefined && value <= o.exclusiveMinimum) &&
    !(o.maximum !== undefined && value > o.maximum) &&
    !(o.exclusiveMaximum !== undefined && value >= o.exclusiveMaximum)
  );
}
