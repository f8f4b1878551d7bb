import { envFacts } from "../env";
import { policyFields } from "../policy";
import { group, optionRows, type Fields, type OptionRow } from "../schema";
import { trainSchema } from "./options";

/**
 * The options of `train`, of a kind of policy, or of a world, as rows of a table: what each may be, its default, its unit, and what it does.
 *
 * @param of "train", a kind of policy such as "transformer", or the id of an environment; one that was registered with a factory alone has no rows
 * @throws {RangeError} if the id is unknown
 * @example
 * import { optionsTable } from "turnwise";
 *
 * optionsTable("train").find(({ option }) => option === "groupSize")!.default; // => "8"
 * optionsTable("KeyDoor-v0").map(({ option }) => option); // => ["turns", "colours"]
 * optionsTable("gru").find(({ option }) => option === "width")!.default; // => "32"
 */
export function optionsTable(of = "train"): OptionRow[] {
  if (of === "train") return optionRows(trainSchema);
  if (Object.hasOwn(policyFields, of)) {
    return optionRows(group<Fields>(policyFields[of as keyof typeof policyFields]));
  }
  const { options } = envFacts(of);
  return options === undefined ? [] : optionRows(options);
}
