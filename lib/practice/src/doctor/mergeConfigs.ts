import { path } from "turnwise/internal/base/host/index";
import { parseConfig, type Source } from "../configs/source/parse";
import { understand, type UnderstandOptions } from "../configs/understand";
import { lintSource } from "../lint/lint";
import type { ReadConfigFile } from "./read";

/** Whether a configuration says that another one lies below it. */
function isOver(upper: ReadConfigFile, lower: ReadConfigFile): boolean {
  const [above, below] = [upper.guess.path, lower.guess.path];
  if (upper === lower || !/\.(ya?ml|json|toml)$/i.test(below)) return false;
  // Hydra writes what was typed next to what came of it.
  if (path.basename(above) === "overrides.yaml") return path.dirname(above) === path.dirname(below);
  if (!/\.(sh|bash)$/i.test(above)) return false;
  const stem = path.basename(below).replace(/\.[^.]+$/, "");
  const named = new RegExp(
    `${escaped(path.basename(below))}\\b|--config[-_]name[= ]['"]?${escaped(stem)}['"]?(?=\\s|$)`,
    "m",
  );
  return named.test(upper.text);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Configurations of which one is laid over another: a launch script that names a file, or hydra's overrides beside its configuration.
 * Where none is, the first is taken as it is.
 *
 * @param configs the one with most settings of a rule first
 */
export async function mergeConfigs(
  configs: readonly ReadConfigFile[],
  options: UnderstandOptions,
): Promise<readonly ReadConfigFile[]> {
  for (const upper of configs) {
    const lower = configs.find((one) => isOver(upper, one) && one.lint.trainer === upper.lint.trainer);
    if (lower === undefined) continue;
    const [over, under] = [await parseConfig(upper.text), await parseConfig(lower.text)];
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
    const both = `${path.basename(upper.guess.path)} over ${path.basename(lower.guess.path)}`;
    const merged: ReadConfigFile = {
      guess: {
        ...upper.guess,
        title: `${both} of ${lint.title}, defaults of ${lint.version}`,
        why: `${path.basename(upper.guess.path)} names ${path.basename(lower.guess.path)}, or lies next to it as hydra's overrides`,
      },
      lint,
      text: `${lower.text}\n${upper.text}`,
      of: [upper.guess.path, lower.guess.path],
    };
    return [merged, ...configs.filter((one) => one !== upper && one !== lower)];
  }
  return configs;
}
