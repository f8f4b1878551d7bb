import { packageFolder } from "#folder";
import { files as fs } from "turnwise/internal/base/host/index";
import { machine } from "turnwise/internal/base/host/index";
import { path } from "turnwise/internal/base/host/index";

/**
 * The text of a stored table, `datasets/measured/<name>.csv`: of the nearest `datasets` folder above the working directory, else of
 * this package, else of the repository that holds it.
 *
 * @throws {RangeError} if no such table is stored; the message names those that are
 * @example
 * import { measured } from "turnwise-course";
 * import { storedRuns } from "turnwise-course/echo-trap";
 *
 * storedRuns(measured("echo-trap")).length > 7000; // => true
 */
export function measured(name: string): string {
  const folder = measuredFolder();
  const file = path.join(folder, `${name}.csv`);
  if (fs.existsSync(file)) return fs.readFileSync(file, "utf8");
  // As the package has it, bin/datasets.cjs.
  if (machine.unpacked && fs.existsSync(`${file}.br`)) return machine.unpacked(fs.readFileSync(`${file}.br`));
  const stored = fs.existsSync(folder)
    ? fs.readdirSync(folder).flatMap((one) => /^(.+)\.csv(\.br)?$/.exec(one)?.[1] ?? [])
    : [];
  throw new RangeError(
    `Cannot read a stored table: its name must be one of ${stored.join(", ")}, got "${name}".`,
  );
}

function measuredFolder(): string {
  const inside = (base: string): string => path.join(base, "datasets", "measured");
  const above = [machine.cwd()];
  while (path.dirname(above.at(-1)!) !== above.at(-1)) above.push(path.dirname(above.at(-1)!));
  const candidates = [...above, packageFolder, path.join(packageFolder, "..", "..")].map(inside);
  return candidates.find((folder) => fs.existsSync(folder)) ?? inside(packageFolder);
}
