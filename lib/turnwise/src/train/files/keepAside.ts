import { files } from "#files";
import { path as paths } from "#path";

/**
 * Moves files of a folder into a new folder next to it, `<folder>.<time>`.
 *
 * Only what is named: the folder may hold a user's notes as well, or be the one that a notebook is in.
 *
 * @returns the new folder; undefined if none of the files is there
 */
export function keepAside(folder: string, names: readonly string[]): string | undefined {
  const there = names.filter((name) => files.existsSync(paths.join(folder, name)));
  if (there.length === 0) return undefined;
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  let aside = `${folder}.${time}`;
  for (let n = 2; files.existsSync(aside); n++) aside = `${folder}.${time}-${n}`;
  files.mkdirSync(aside, { recursive: true });
  for (const name of there) files.renameSync(paths.join(folder, name), paths.join(aside, name));
  return aside;
}
