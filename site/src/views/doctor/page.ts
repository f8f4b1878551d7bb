import { onPage } from "../shared/onPage";
import { settings } from "./settings";
import view from "./view";

onPage(view, settings);
