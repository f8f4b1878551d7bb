import type { Command } from "./command.js";
import { doctor } from "./commands/doctor.js";
import { install } from "./commands/install.js";
import { lab } from "./commands/lab.js";
import { pictures } from "./commands/pictures.js";
import { poll } from "./commands/poll.js";
import { run } from "./commands/run.js";
import { slides } from "./commands/slides.js";
import { uninstall } from "./commands/uninstall.js";

/** All commands by name. package.json lists them with a line for the help, in `jupyterKernel.commands`. */
export const commands = {
  lab,
  run,
  pictures,
  slides,
  poll,
  install,
  uninstall,
  doctor,
} satisfies Record<string, Command>;
