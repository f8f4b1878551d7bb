import { files, path } from "turnwise/internal/base/host/index";
import { isEpisode } from "../traces/readTrajectories";
import { hidden } from "./hidden";

/** Files whose ends tell that they hold neither a log, a configuration nor rollouts. */
const others =
  /\.(safetensors|bin|pt|pth|ckpt|gguf|npz|npy|png|jpe?g|gif|svg|pdf|zip|gz|tar|whl|so|pyc|model|tiktoken|distcp|html|md|lock)$|(^|\/)(tokenizer|vocab|merges|special_tokens_map|added_tokens|generation_config|model\.safetensors\.index|adapter_config)[\w.]*$|(^|\/)(wandb-(metadata|summary)\.json|debug(-(internal|core))?\.log|requirements\.txt)$/i;
const MOST_FILES = 400;
const DEEPEST = 5;

/** The files of a folder that may say something of a run; a folder of rLLM's episodes is one. */
export interface Listing {
  readonly paths: readonly string[];
  /** Weights, pictures and the like. */
  readonly passedOver: number;
  /** Whether there are more files than are looked at. */
  readonly more: boolean;
}

/**
 * The file itself, or those below a folder.
 *
 * @throws {RangeError} if it is not there
 */
export function listed(target: string): Listing {
  const found = files.statSync(target, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new RangeError(`Cannot examine a run: no such file or folder: ${target}`);
  }
  if (!found.isDirectory()) return { paths: [target], passedOver: 0, more: false };
  const paths: string[] = [];
  let passedOver = 0;
  let more = false;
  const walk = (folder: string, depth: number): void => {
    const names = [...files.readdirSync(folder)].sort();
    // Each is one episode, and only together they have groups.
    const hasEpisodes = names.some(isEpisode);
    if (hasEpisodes) paths.push(folder);
    for (const name of names) {
      if (hasEpisodes && isEpisode(name)) continue;
      const inner = path.join(folder, name);
      const stat = files.statSync(inner, { throwIfNoEntry: false });
      if (stat === undefined || hidden.test(name)) continue;
      if (stat.isDirectory()) {
        if (depth < DEEPEST) walk(inner, depth + 1);
        else more = true;
      } else if (others.test(inner)) passedOver += 1;
      else if (paths.length >= MOST_FILES) more = true;
      else paths.push(inner);
    }
  };
  walk(target, 0);
  return { paths, passedOver, more };
}
