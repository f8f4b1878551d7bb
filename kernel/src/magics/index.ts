import { cd } from "./cd.js";
import { config } from "./config.js";
import type { Magic } from "./contract.js";
import { dialect } from "./dialect.js";
import { env } from "./env.js";
import { helpMagic, lsmagic } from "./help.js";
import { html } from "./html.js";
import { install } from "./install.js";
import { javascript } from "./javascript.js";
import { latex } from "./latex.js";
import { markdown } from "./markdown.js";
import { module } from "./module.js";
import { shell } from "./shell.js";
import { time } from "./time.js";
import { timeit } from "./timeit.js";
import { types } from "./types.js";
import { who } from "./who.js";

const all = (): readonly Magic[] => magics;

/** The magics, in the order of the page. */
export const magics: readonly Magic[] = [
  time,
  timeit,
  shell,
  cd,
  env,
  who,
  html,
  markdown,
  latex,
  javascript,
  module,
  install,
  types,
  dialect,
  config,
  helpMagic(all),
  lsmagic(all),
];
