import { path } from "turnwise/browser";

/** Replacement of Node's `path` in cells of a page. */
export const { sep, join, resolve, relative, dirname, basename, isAbsolute } = path;
export const delimiter = ":";
export const normalize = (one: string): string => path.join(one);

export function extname(name: string): string {
  const last = path.basename(name);
  const at = last.lastIndexOf(".");
  return at > 0 ? last.slice(at) : "";
}

export function parse(name: string): { root: string; dir: string; base: string; ext: string; name: string } {
  const [base, ext] = [path.basename(name), extname(name)];
  const root = path.isAbsolute(name) ? "/" : "";
  const dir = name.includes("/") ? path.dirname(name) : "";
  return { root, dir, base, ext, name: path.basename(name, ext) };
}

export function format(o: { dir?: string; base?: string; name?: string; ext?: string }): string {
  return path.join(o.dir ?? "", o.base ?? `${o.name ?? ""}${o.ext ?? ""}`);
}

const whole = {
  sep,
  delimiter,
  join,
  resolve,
  relative,
  dirname,
  basename,
  isAbsolute,
  normalize,
  extname,
  parse,
  format,
};
export const posix = whole;
export default { ...whole, posix };
