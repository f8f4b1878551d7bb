import { siteHere } from "../shared/ending";
import { onPage } from "../shared/onPage";
import type { Board } from "./scores";
import { settingsOf } from "./settings";
import { boardView } from "./view";

const board = (await (await fetch("board.json")).json()) as Board;
const start = (): Worker => new Worker("worker.js", { type: "module" });
onPage(boardView(board, start, siteHere()), settingsOf(board.rules.map(({ name }) => name)));
