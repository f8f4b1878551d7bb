import type { PositionMap } from "./edits.js";

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes the `mappings` of a version 3 source map with a single source. */
export function decodeSourceMap(mappings: string): PositionMap {
  let line = 0;
  let column = 0;
  return mappings.split(";").map((group) => {
    let generated = 0;
    const segments: [number, number, number][] = [];
    for (const segment of group.split(",")) {
      const fields = decodeVlq(segment);
      if (fields.length < 4) continue;
      generated += fields[0]!;
      line += fields[2]!;
      column += fields[3]!;
      segments.push([generated, line, column]);
    }
    return segments;
  });
}

function decodeVlq(text: string): number[] {
  const values: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of text) {
    const digit = digits.indexOf(character);
    value |= (digit & 31) << shift;
    if (digit & 32) shift += 5;
    else {
      values.push(value & 1 ? -(value >> 1) : value >> 1);
      value = 0;
      shift = 0;
    }
  }
  return values;
}
