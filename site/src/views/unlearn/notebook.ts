import { inNotebook } from "../shared/inNotebook";
import { settings } from "./settings";
import view from "./view";

export default inNotebook(view, settings);
