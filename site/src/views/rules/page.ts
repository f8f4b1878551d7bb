import { onPageWith } from "../shared/onPage";
import { settingsOf } from "./settings";
import view from "./view";

const el = document.querySelector<HTMLElement>("main")!;
onPageWith(view, settingsOf(el), el);
