import { files, path } from "turnwise/internal/base/host/index";

/** A configuration's text and path, and the files that it was put together from. */
interface ConfigText {
  readonly text: string;
  readonly guess: { readonly path: string };
  readonly of?: readonly string[];
}

const list = /^defaults:[ \t]*(?<inline>[^\n#]*)(?:#[^\n]*)?\n?(?<items>(?:[ \t]*-[^\n]*\n?)*)/gm;

/** Paths of the files that a configuration names in `defaults`, as NeMo RL and hydra do; those that stand for a group are left out. */
export function parentsIn(text: string, file: string): string[] {
  const own = path.dirname(file);
  return [...text.matchAll(list)].flatMap(({ groups }) => {
    const inline = groups!.inline!.replaceAll(/[[\]]/g, "").split(",");
    const items = groups!.items!.split("\n").map((line) => line.replace(/^[ \t]*-/, "").replace(/#.*$/, ""));
    return [...inline, ...items]
      .map((one) => one.trim().replaceAll(/["']/g, ""))
      .filter((one) => one !== "" && one !== "_self_" && !one.includes(":") && !one.includes("${"))
      .map((one) => path.join(own, /\.ya?ml$/i.test(one) ? one : `${one}.yaml`));
  });
}

/** The same of a configuration that has been read. */
export const parentsOf = ({ text, guess }: ConfigText): string[] => parentsIn(text, guess.path);

/** Names of those of them that a configuration was not put together from. */
export const missingParents = (config: ConfigText): string[] =>
  parentsOf(config)
    .map((one) => path.basename(one))
    .filter((name) => !(config.of ?? []).some((one) => path.basename(one) === name));

/** Those of them that are there and have not been read. */
export const unreadParents = (config: ConfigText, read: ReadonlySet<string>): string[] =>
  parentsOf(config).filter((one) => !read.has(one) && files.existsSync(one));
