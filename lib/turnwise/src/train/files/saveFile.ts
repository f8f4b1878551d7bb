import { files } from "#files";
import { path } from "#path";
import { replaceFile } from "../../base/host/files/replaceFile";

const fs = files.promises;

/**
 * Writes a file, whole or not at all, in place of what it held.
 *
 * @param action completes "Cannot ...", such as `save a chart`
 * @returns the path as it was given
 * @throws {RangeError} if its folder does not exist, or it cannot be written
 */
export async function saveFile(file: string, content: string | Uint8Array, action: string): Promise<string> {
  const folder = path.dirname(path.resolve(file));
  const found = await fs.stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new RangeError(`Cannot ${action}: the folder of "${file}" must exist, but there is no ${folder}.`);
  }
  replaceFile(file, content);
  // A page keeps what is written a little later: this waits for it.
  await fs.stat(file);
  return file;
}
