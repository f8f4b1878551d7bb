export interface ArrowType {
  /** Apache Arrow's own number of the type. */
  typeId: number;
  scale?: number;
}

export interface ArrowVector {
  type: ArrowType;
  length: number;
  get(i: number): unknown;
}

const typeIds = { decimal: 7, date: 8, timestamp: 10 };

/** The numbers of rows from `from` to before `to`. */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** Dates and times come as milliseconds, decimals as the words of an integer. */
export function valueOf(value: unknown, { typeId, scale = 0 }: ArrowType): unknown {
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
