import { inNotebook } from "../shared/inNotebook";
import type { Catalog } from "./catalog";
import { settingsFor } from "./settings";
import { viewFor } from "./view";

/** Made when the module is built. */
declare const PLAY_CATALOG: Catalog;
declare const VIEW_WORKER: string;

// A front end has no file of this site, so the module brings its worker along; VS Code's policy takes no worker from a blob.
const start = (): Worker =>
  new Worker(`data:text/javascript,${encodeURIComponent(VIEW_WORKER)}`, { type: "module" });

export default inNotebook(viewFor(PLAY_CATALOG, start), settingsFor(PLAY_CATALOG), "wide");
