import { inNotebook } from "../shared/inNotebook";
import { unpackedPool, type PackedPool } from "./packedPool";
import { settings } from "./settings";
import { viewFor } from "./view";

/** Made when the module is built: the page's runs.json. */
declare const VIEW_DATA: PackedPool;

export default inNotebook(
  viewFor(() => Promise.resolve(unpackedPool(VIEW_DATA))),
  settings,
);
