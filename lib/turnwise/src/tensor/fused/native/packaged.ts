import { fs, nodeModule, path } from "../threads/node";

/** The optional package for this platform, as `npm run native -- --prebuild` makes it, if it is installed. */
interface Packaged {
  readonly name: string;
  /** The addon, if the package was made from the present sources. */
  readonly file?: string;
  /** Why it has none, in the words of a report. */
  readonly stale?: string;
}

/**
 * Addon in the package for this platform, which replaces one compiled here. Its file has the same name, which tells the
 * sources: one that was made from others is not loaded.
 */
export function packagedAddon(compiled: string): Packaged | undefined {
  const name = `turnwise-native-${process.platform}-${process.arch}`;
  let folder: string;
  try {
    folder = path!.dirname(nodeModule!.createRequire(__filename).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
  const file = path!.join(folder, path!.basename(compiled));
  if (fs!.existsSync(file)) return { name, file };
  return { name, stale: `the package ${name} was made from other sources than this version of turnwise` };
}
