import type { Command } from "./command.js";
import { doctor } from "./commands/doctor.js";
import { flags } from "./commands/flags.js";
import { install } from "./commands/install.js";
import { lab } from "./commands/lab.js";
import { merge } from "./commands/merge.js";
import { pictures } from "./commands/pictures.js";
import { run } from "./commands/run.js";
import { serve } from "./commands/serve.js";
import { slides } from "./commands/slides.js";
import { sweep } from "./commands/sweep.js";
import { uninstall } from "./commands/uninstall.js";
import { watch } from "./commands/watch.js";

/** All commands by name, in the order in which help lists them. Usage, suggestions and tests derive from this table. */
export const commands = {
  lab,
  run,
  pictures,
  slides,
  sweep,
  merge,
  watch,
  flags,
  serve,
  install,
  uninstall,
  doctor,
} satisfies Record<string, Command>;
