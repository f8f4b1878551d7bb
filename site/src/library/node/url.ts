import { path } from "turnwise/browser";
import { coded, refused } from "../errors.js";
import { siteFiles } from "../siteAddress.js";

/** Replacement of Node's `url` in cells of a page. */
export const { URL, URLSearchParams } = globalThis;

/** The path of a file; here also of one that the site serves, as `import.meta.url` names it. */
export function fileURLToPath(address: string | URL): string {
  const { href, protocol, pathname, host } = new URL(address);
  const base = siteFiles();
  if (base !== undefined && href.startsWith(base))
    return decodeURIComponent(`/${href.slice(base.length).replace(/[?#].*/, "")}`);
  if (protocol !== "file:")
    throw coded(new TypeError("The URL must be of scheme file"), "ERR_INVALID_URL_SCHEME");
  if (host !== "")
    throw coded(
      new TypeError('File URL host must be "localhost" or empty on browser'),
      "ERR_INVALID_FILE_URL_HOST",
    );
  if (/%2f/i.test(pathname))
    throw coded(
      new TypeError("File URL path must not include encoded / characters"),
      "ERR_INVALID_FILE_URL_PATH",
    );
  return decodeURIComponent(pathname);
}

/** The address of a file, by its path from the current folder. */
export function pathToFileURL(file: string): URL {
  const whole = path.resolve(file) + (/.\/$/.test(file) ? "/" : "");
  const escaped = whole.split("/").map((part) => encodeURIComponent(part));
  return new URL(`file://${escaped.join("/")}`);
}

/** An address as text; the parts of one, as the old `parse` of Node gives them, are not taken. */
export function format(address: unknown): string {
  if (address instanceof URL || typeof address === "string") return String(address);
  throw new TypeError(
    `Cannot write an address: it must be a URL in a page, got a value of type ${typeof address}. Use new URL(...).`,
  );
}

export const parse = refused(
  "parse an address in the old way of Node: that needs Node.js. Use new URL(...).",
);
export const resolve = refused(
  "resolve an address in the old way of Node: that needs Node.js. Use new URL(to, from).",
);

export function urlToHttpOptions(url: URL): object {
  const { protocol, hostname, hash, search, pathname, href, port } = url;
  return {
    ...{ protocol, hostname, hash, search, pathname, path: pathname + search, href },
    ...(port !== "" && { port: Number(port) }),
  };
}

export default {
  URL,
  URLSearchParams,
  fileURLToPath,
  pathToFileURL,
  format,
  parse,
  resolve,
  urlToHttpOptions,
};
