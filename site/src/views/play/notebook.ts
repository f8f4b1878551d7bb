import { carriedWorker } from "../shared/carriedWorker";
import { inNotebook } from "../shared/inNotebook";
import type { Catalog } from "./catalog";
import { settingsFor } from "./settings";
import { viewFor } from "./view";

/** Made when the module is built. */
declare const PLAY_CATALOG: Catalog;

export default inNotebook(viewFor(PLAY_CATALOG, carriedWorker), settingsFor(PLAY_CATALOG), "wide");
