/** The address of a file, by its path from the root of the site's files. */
export const siteUrl =
  (base: string) =>
  (path: string): string =>
    `${base}files/${path.replace(/^\/+/, "").split("/").map(encodeURIComponent).join("/")}`;
