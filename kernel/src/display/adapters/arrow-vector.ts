import { tableBundle } from "../table.js";
import { range, valueOf, type ArrowVector } from "./arrow-values.js";
import { adapter } from "./contract.js";
import { has, hasMethods } from "./traits.js";

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
