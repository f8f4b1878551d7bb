import { suffix } from "../../../types/transform/apart-name.js";

/** Address of the module below. */
export const beginUrl = "turnwise:module";

/** Module that every local ES module imports; in a thread there is no session that wants to hear of it. */
export const beginning = `
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
const session = globalThis[Symbol.for("turnwise.localModules")];
const plain = (url) => url.replace(/\\?turnwise=\\d+$/, "");
export const begin = (meta, url) => {
  const { resolve } = meta;
  meta.url = plain(url);
  meta.resolve = (...given) => plain(resolve(...given));
  session?.begin(url);
};
export const end = (url) => session?.end(url);
export const lacked = (url) => {
  const __filename = fileURLToPath(plain(url));
  return {
    __filename,
    __dirname: dirname(__filename),
    require: session?.require(__filename) ?? createRequire(__filename),
    get Deno() { return globalThis["Deno${suffix}"]; },
  };
};
`;
