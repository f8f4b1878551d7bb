import type { TSchema } from "@sinclair/typebox";
import { envInfo } from "../env";
import { policyFields } from "../policy";
import { recipeSchema } from "../rule/schema";
import { group, optionRows, type Fields, type OptionRow } from "../schema";
import { trainSchema } from "./options";

const kinds = Object.entries(policyFields).map(([kind, fields]) => [kind, group<Fields>(fields)] as const);

const schemas = new Map<string, TSchema>([["train", trainSchema], ["recipe", recipeSchema], ...kinds]);

/**
 * The options of `train`, of a recipe's fields, of a kind of policy or of a world, as rows of a table: what each may be, its
 * default, its unit, and what it does.
 *
 * @param of "train", "recipe", a kind of policy such as "transformer", or the id of an environment; one that was registered
 *   with a factory alone has no rows
 * @throws {RangeError} if there is no such thing
 * @example
 * import { optionsTable } from "turnwise";
 *
 * optionsTable("train").find(({ option }) => option === "groupSize")!.default; // => "8"
 * optionsTable("recipe").find(({ option }) => option === "gate.clipHigh")!.mustBe; // => "above 0"
 * optionsTable("gru").find(({ option }) => option === "width")!.default; // => "32"
 * optionsTable("KeyDoor-v0").map(({ option }) => option); // => ["turns", "colours"]
 */
export function optionsTable(of = "train"): OptionRow[] {
  const schema = schemas.get(of) ?? envInfo(of).options;
  return schema === undefined ? [] : optionRows(schema);
}
