import { didYouMean } from "../base/suggest";
import { resolve, type Fields, type Group, type Static } from "../schema";

/**
 * The options of a world, complete and checked.
 *
 * @throws {RangeError} if a name is unknown, with the nearest one, or a value is out of range
 * @throws {TypeError} if a value has the wrong type
 */
export function readOptions<F extends Fields>(id: string, schema: Group<F>, given: object): Static<Group<F>> {
  const known = [...Object.keys(schema.properties), "maxTurns"];
  return resolve(schema, given, {
    action: `make ${id}`,
    owner: "its options",
    elsewhere: (name) => didYouMean(name, known),
  });
}
