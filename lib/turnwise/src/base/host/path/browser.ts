import { machine } from "#machine";
import type { Paths } from "./paths";

/** Paths with "/", as a page has them; they are resolved from the folder of the notebook. */
export const path: Paths = {
  sep: "/",
  join: (...parts) => normal(parts.filter((part) => part !== "").join("/")),
  resolve,
  relative(from, to) {
    const [start, end] = [partsOf(resolve(from)), partsOf(resolve(to))];
    const differs = start.findIndex((part, i) => part !== end[i]);
    const common = differs < 0 ? start.length : differs;
    return [...start.slice(common).map(() => ".."), ...end.slice(common)].join("/");
  },
  dirname(path) {
    const trimmed = path.replace(/(?<=.)\/+$/, "");
    const at = trimmed.lastIndexOf("/");
    if (at < 0) return ".";
    return at === 0 ? "/" : trimmed.slice(0, at).replace(/(?<=.)\/+$/, "");
  },
  basename(path, ending = "") {
    const name = partsOf(path).at(-1) ?? "";
    return ending !== "" && name !== ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
  },
  isAbsolute: (path) => path.startsWith("/"),
};

function resolve(...parts: string[]): string {
  const last = parts.findLastIndex((part) => part.startsWith("/"));
  const from = last < 0 ? [machine.cwd(), ...parts] : parts.slice(last);
  const found = normal(from.filter((part) => part !== "").join("/"));
  return found.length > 1 ? found.replace(/\/$/, "") : found;
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");

function normal(path: string): string {
  const absolute = path.startsWith("/");
  const kept: string[] = [];
  for (const part of partsOf(path)) {
    if (part === ".") continue;
    if (part === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (part !== ".." || !absolute) kept.push(part);
  }
  const ends = path.endsWith("/") && kept.length > 0 ? "/" : "";
  return (absolute ? "/" : "") + kept.join("/") + ends || ".";
}
