import { carriedWorker } from "../shared/carriedWorker";
import { inNotebook } from "../shared/inNotebook";
import type { Board } from "./scores";
import { settingsOf } from "./settings";
import { boardView } from "./view";

/** Made when the module is built: the page's board.json. */
declare const VIEW_DATA: Board;

export default inNotebook(
  boardView(VIEW_DATA, carriedWorker),
  settingsOf(VIEW_DATA.rules.map(({ name }) => name)),
);
