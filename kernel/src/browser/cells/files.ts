import { textAtOnce } from "../library/siteFiles.js";

/** Files of the site, read while this thread waits. */
export interface Files {
  /** The text of a file by its path from the root of the site's files; undefined if it is not there. */
  read(path: string): string | undefined;
  /** The address of a file. */
  url(path: string): string;
}

export function siteFiles(base: string): Files {
  const url = (path: string): string =>
    `${base}files/${path.replace(/^\/+/, "").split("/").map(encodeURIComponent).join("/")}`;
  return {
    url,
    read: (path) => textAtOnce(url(path)),
  };
}
