import { tableBundle } from "../table.js";
import { adapter } from "./contract.js";
import { has, hasMethods } from "./traits.js";

interface ArrowType {
  /** Apache Arrow's own number of the type. */
  typeId: number;
  scale?: number;
}

interface ArrowVector {
  type: ArrowType;
  length: number;
  get(i: number): unknown;
}

interface ArrowTable {
  numRows: number;
  schema: { fields: { name: string; type: ArrowType }[] };
  getChildAt(i: number): ArrowVector | null;
}

const typeIds = { decimal: 7, date: 8, timestamp: 10 };

export const arrow = adapter<ArrowTable>({
  shows:
    "tables and record batches of Apache Arrow (`apache-arrow`, `@uwdata/flechette`, results of `duckdb-wasm`)",
  types: ["text/html"],
  fits: (value): value is ArrowTable => has(value, "schema", "numRows") && hasMethods(value, "getChildAt"),
  bundle(table) {
    const { fields } = table.schema;
    const vectors = fields.map((_, j) => table.getChildAt(j));
    return tableBundle({
      columns: fields.map(({ name }) => name),
      size: table.numRows,
      rows: (from, to) =>
        range(from, to).map((i) => fields.map(({ type }, j) => valueOf(vectors[j]?.get(i), type))),
    });
  },
});

export const arrowVector = adapter<ArrowVector>({
  shows: "vectors of Apache Arrow",
  types: ["text/html"],
  fits: (value): value is ArrowVector =>
    has(value, "type", "length", "stride", "numChildren") && hasMethods(value, "get", "isValid", "toArray"),
  bundle(vector) {
    return tableBundle({
      columns: [String(vector.type)],
      size: vector.length,
      rows: (from, to) => range(from, to).map((i) => [valueOf(vector.get(i), vector.type)]),
    });
  },
});

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** Dates and times come as milliseconds, decimals as the words of an integer. */
function valueOf(value: unknown, { typeId, scale = 0 }: ArrowType): unknown {
  if (typeId === typeIds.date || typeId === typeIds.timestamp)
    return typeof value === "number" ? new Date(value) : value;
  if (typeId === typeIds.decimal && value instanceof Uint32Array) return decimal(value, scale);
  return value;
}

/** A decimal number of words in two's complement, the lowest word first. */
function decimal(words: Uint32Array, scale: number): string {
  const bits = 32 * words.length;
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const whole = BigInt.asIntN(bits, unsigned);
  const digits = (whole < 0n ? -whole : whole).toString().padStart(scale + 1, "0");
  const at = digits.length - scale;
  const fraction = scale > 0 ? `.${digits.slice(at)}` : "";
  return `${whole < 0n ? "-" : ""}${digits.slice(0, at)}${fraction}`;
}
