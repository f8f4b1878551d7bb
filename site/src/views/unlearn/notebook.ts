import { inNotebook } from "../shared/inNotebook";
import { settings } from "./settings";
import { viewFor } from "./view";

export default inNotebook(viewFor(), settings);
