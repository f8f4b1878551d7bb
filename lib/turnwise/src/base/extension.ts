import { show } from "./show";

/**
 * The ending of a path, such as `svg`, which says how to write the file.
 *
 * @param action completes "Cannot ..."
 * @throws {TypeError} if the path is no text
 * @throws {RangeError} if the ending is not among the known ones
 */
export function extensionOf<E extends string>(file: unknown, known: readonly E[], action: string): E {
  if (typeof file !== "string") {
    throw new TypeError(`Cannot ${action}: its path must be a string, got ${show(file)}.`);
  }
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  const found = known.find((one) => one === ending);
  if (found !== undefined) return found;
  const all = `${known
    .slice(0, -1)
    .map((one) => `.${one}`)
    .join(", ")} or .${known.at(-1)}`;
  throw new RangeError(`Cannot ${action}: its path must end in ${all}, got "${file}".`);
}
