import { files } from "#files";
import { machine } from "#machine";
import { path } from "#path";

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
    throw new RangeError(`Cannot ${action} as the folder of "${file}" must exist: there is no ${folder}`);
  }
  const part = `${file}.${machine.pid}.part`;
  try {
    await fs.writeFile(part, content);
    await fs.rename(part, file);
  } catch (error) {
    await fs.rm(part, { force: true });
    throw new RangeError(
      `Cannot ${action} as "${file}" must be a file that can be written: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
  return file;
}
