import { registeredIds } from "turnwise/internal/env/index";
import { moduleOf } from "turnwise/internal/env/registry";
import { modulesFor } from "turnwise/internal/sweep/modules/find";

/**
 * The world that a name means: a registered one by its id, or the one that a custom module registers by its path.
 *
 * The command asks for it by its name alone.
 *
 * @public
 * @param id which one, where the module registers several
 * @throws {RangeError} if the module cannot be found, or registers none, or several without an `id`
 */
export function worldOf(name: string, folder: string, id?: string): string {
  if (!isPath(name)) {
    if (id === undefined || id === name) return name;
    throw new RangeError(`Cannot serve ${name}: a module must not come with an id, got ${id}.`);
  }
  const before = new Set(registeredIds());
  const { files } = found(name, folder);
  const own = registeredIds().filter((known) => !before.has(known) || files.includes(moduleOf(known) ?? ""));
  if (id !== undefined && own.includes(id)) return id;
  if (id === undefined && own.length === 1) return own[0]!;
  const has = own.length === 0 ? "it registers none" : `it registers ${own.join(", ")}`;
  const must = id === undefined ? "must register one world, or --world must name one" : `must register ${id}`;
  throw new RangeError(`Cannot serve a world of ${name}: the module ${must}, but ${has}.`);
}

function found(name: string, folder: string): ReturnType<typeof modulesFor> {
  try {
    return modulesFor([name], folder);
  } catch (error) {
    const { message } = error as Error;
    if (!message.startsWith("Cannot sweep")) throw error;
    throw new RangeError(message.replace("Cannot sweep", "Cannot serve"), { cause: error });
  }
}

/** A path has a folder or the ending of a file. */
const isPath = (name: string): boolean => /[\\/]|\.[cm]?[jt]sx?$/.test(name);
