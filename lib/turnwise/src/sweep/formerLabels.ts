import type { Json } from "./json";
import { flatten, functionsIn, isRecord, labelBy } from "./labels";
import { labelOf } from "./modules/reference";

/**
 * Text for each value of an axis as versions before this one wrote it: files of results that hold it are still read. Records of one name are told apart by the functions in them, if these differ, else by the
 * leaves in which they differ.
 */
export function formerLabelsOf(values: readonly Json[]): Json[] {
  const leaves = values.map((value) => (isRecord(value) ? flatten(value) : undefined));
  const own = values.map((value, i) => (leaves[i] ? labelBy(leaves[i], functionsIn(value)) : undefined));
  return values.map((value, i) => {
    const leaf = leaves[i];
    if (leaf === undefined) return Array.isArray(value) ? JSON.stringify(value) : (labelOf(value) ?? value);
    const short = own[i]!;
    if (short.endsWith("}") && own.filter((other) => other === short).length === 1) return short;
    const namesakes = leaves.filter((other) => other !== undefined && other["name"] === leaf["name"]);
    const differing = Object.keys(leaf).filter((path) =>
      namesakes.some((other) => other?.[path] !== leaf[path]),
    );
    const label = labelBy(leaf, differing);
    return label === "" ? "{}" : label;
  });
}
