import { onPage } from "../shared/onPage";
import { settings } from "./settings";
import { viewFor } from "./view";

onPage(viewFor("../lessons/01-grpo-from-scratch/"), settings);
