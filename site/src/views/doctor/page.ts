import { siteHere } from "../shared/ending";
import { onPage } from "../shared/onPage";
import { settings } from "./settings";
import { viewFor } from "./view";

onPage(viewFor(siteHere()), settings);
