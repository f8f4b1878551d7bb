import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const kinds = ["functions", "classes", "variables", "interfaces", "types"];

/**
 * Entry of this name in the index of all exported names, in Markdown; undefined outside of a checkout.
 *
 * `npm run docs` writes the index into `build/docs`, a page for each name of each tier.
 *
 * @param packageFile the package.json of the library
 */
export function indexOf(packageFile: string, tier: string, name: string): string | undefined {
  const library = dirname(realpathSync(packageFile));
  const checkout = [join(library, ".."), join(library, "..", "..")].find((folder) =>
    existsSync(join(folder, "typedoc.json")),
  );
  if (checkout === undefined) return undefined;
  const docs = join(checkout, "build", "docs");
  const module = tier.split("/")[1] ?? "index";
  const pages = [
    ...kinds.map((kind) => join(docs, kind, `${module}.${name}.html`)),
    join(docs, "index.html"),
  ];
  const page = pages.find((file) => existsSync(file));
  return page === undefined
    ? "`npm run docs` writes an index of all names, with search"
    : `[${page}](${pathToFileURL(page).href})`;
}
