import { path } from "turnwise/internal/base/host/index";
import { parseConfig, type Source } from "../configs/source/parse";
import { understand, type UnderstandOptions } from "../configs/understand";
import { lintSource } from "../lint/lint";
import { parentsOf } from "./parents";
import type { ReadConfigFile } from "./read";

/** Whether a configuration says that another one lies below it. */
function isOver(upper: ReadConfigFile, lower: ReadConfigFile): boolean {
  const [above, below] = [upper.guess.path, lower.guess.path];
  if (upper === lower || !/\.(ya?ml|json|toml)$/i.test(below)) return false;
  // Hydra writes what was typed next to what came of it.
  if (path.basename(above) === "overrides.yaml") return path.dirname(above) === path.dirname(below);
  if (parentsOf(upper).some((one) => path.basename(one) === path.basename(below))) return true;
  if (!/\.(sh|bash)$/i.test(above)) return false;
  const stem = path.basename(below).replace(/\.[^.]+$/, "");
  const named = new RegExp(
    `${escaped(path.basename(below))}\\b|--config[-_]name[= ]['"]?${escaped(stem)}['"]?(?=\\s|$)`,
    "m",
  );
  return named.test(upper.text);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** So many configurations may lie below one another. */
const DEEPEST = 6;

/**
 * Configurations of which one is laid over another: a launch script that names a file, a file whose `defaults` name another, or hydra's
 * overrides beside its configuration. Where none is, the first is taken as it is.
 *
 * @param configs the one with most settings of a rule first
 */
export async function mergeConfigs(
  configs: readonly ReadConfigFile[],
  options: UnderstandOptions,
): Promise<readonly ReadConfigFile[]> {
  const sources = new Map<ReadConfigFile, Source>();
  let left = configs;
  for (let i = 0; i < DEEPEST; i++) {
    const merged = await mergedOnce(left, sources, options);
    if (merged === undefined) break;
    left = merged;
  }
  return left;
}

/** The same with one configuration laid over another; undefined where none is. */
async function mergedOnce(
  configs: readonly ReadConfigFile[],
  sources: Map<ReadConfigFile, Source>,
  options: UnderstandOptions,
): Promise<readonly ReadConfigFile[] | undefined> {
  const sourceOf = async (one: ReadConfigFile): Promise<Source> =>
    sources.get(one) ?? (await parseConfig(one.text));
  for (const upper of configs) {
    const lower = configs.find((one) => isOver(upper, one) && one.lint.trainer === upper.lint.trainer);
    if (lower === undefined) continue;
    const [over, under] = [await sourceOf(upper), await sourceOf(lower)];
    const given = new Set([...Object.keys(over.flags), ...over.unresolved.map(({ name }) => name)]);
    const source: Source = {
      form: over.form === "launch script" ? over.form : under.form,
      words: [...over.words, ...under.words],
      flags: {
        ...Object.fromEntries(Object.entries(under.flags).filter(([name]) => !given.has(name))),
        ...over.flags,
      },
      unresolved: [...over.unresolved, ...under.unresolved.filter(({ name }) => !given.has(name))],
    };
    const lint = lintSource(understand(source, options));
    const of = [...(upper.of ?? [upper.guess.path]), ...(lower.of ?? [lower.guess.path])];
    const merged: ReadConfigFile = {
      guess: {
        ...upper.guess,
        title: `${of.map((one) => path.basename(one)).join(" over ")} of ${lint.title}, defaults of ${lint.version}`,
        why: `${path.basename(upper.guess.path)} names ${path.basename(lower.guess.path)}, or lies next to it as hydra's overrides`,
      },
      lint,
      text: `${lower.text}\n${upper.text}`,
      of,
    };
    sources.set(merged, source);
    // A file may lie below several.
    return [merged, ...configs.filter((one) => one !== upper && one !== lower)];
  }
  return undefined;
}
