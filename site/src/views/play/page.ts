import { siteHere } from "../shared/ending";
import { onPage } from "../shared/onPage";
import type { Catalog } from "./catalog";
import { settingsFor } from "./settings";
import { viewFor } from "./view";

/** Made when the page is built. */
declare const PLAY_CATALOG: Catalog;

const settings = settingsFor(PLAY_CATALOG);
onPage(
  viewFor(PLAY_CATALOG, () => new Worker("worker.js", { type: "module" }), siteHere()),
  settings,
);
