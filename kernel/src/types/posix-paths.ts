import type { Paths } from "./host.js";

/** The part of Node's `path` that the type service uses, for paths that are no machine's: with slashes, from one root. */
export const posixPaths: Paths = {
  sep: "/",
  join: (...parts) => normal(parts.filter((part) => part !== "").join("/")) || ".",
  resolve(...parts) {
    let path = "";
    for (const part of parts) path = part.startsWith("/") ? part : `${path}/${part}`;
    return normal(`/${path}`);
  },
  relative(from, to) {
    const [start, end] = [names(normal(`/${from}`)), names(normal(`/${to}`))];
    let same = 0;
    while (same < start.length && start[same] === end[same]) same++;
    return [...start.slice(same).map(() => ".."), ...end.slice(same)].join("/");
  },
  dirname(path) {
    const bare = path.replace(/\/+$/, "");
    const end = bare.lastIndexOf("/");
    if (end < 0) return path.startsWith("/") ? "/" : ".";
    return bare.slice(0, end) || "/";
  },
  basename: (path) => names(path).at(-1) ?? "",
};

function names(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function normal(path: string): string {
  const isAbsolute = path.startsWith("/");
  const kept: string[] = [];
  for (const name of names(path)) {
    if (name === ".") continue;
    if (name !== "..") kept.push(name);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!isAbsolute) kept.push(name);
  }
  return (isAbsolute ? "/" : "") + kept.join("/");
}
