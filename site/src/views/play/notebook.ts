import { inNotebook } from "../shared/inNotebook";
import type { Catalog } from "./catalog";
import { settingsFor } from "./settings";
import { viewFor } from "./view";

/** Made when the module is built. */
declare const PLAY_CATALOG: Catalog;
declare const VIEW_WORKER: string;

// A notebook's front end has no file of this site, so the module brings its worker along.
let script: string | undefined;
const start = (): Worker => {
  script ??= URL.createObjectURL(new Blob([VIEW_WORKER], { type: "text/javascript" }));
  return new Worker(script, { type: "module" });
};

export default inNotebook(viewFor(PLAY_CATALOG, start), settingsFor(PLAY_CATALOG), "wide");
