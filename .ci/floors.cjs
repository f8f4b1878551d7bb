"use strict";
// The folders of each package's sources from the ground up, each with what it is for. A folder imports only from the floors below its
// own: .dependency-cruiser.cjs enforces it, .ci/architecture.cjs draws it.

const { readdirSync } = require("node:fs");
const path = require("node:path");

/** The folders of the lessons share a floor, so no lesson imports another: what several need is in shared/. */
const lessons = Object.fromEntries(
  readdirSync(path.join(__dirname, "..", "lib", "course", "src"))
    .filter((name) => /^\d\d-/.test(name))
    .sort()
    .map((name) => [name, "a lesson"]),
);

module.exports = {
  "lib/turnwise": [
    { base: "guards, statistics, randomness" },
    { schema: "every option, declared once", verdict: "what a claim needs" },
    { tensor: "TensorFlow.js, fused kernels" },
    { tree: "finite games" },
    { env: "one file per world" },
    { batch: "the layout of collected data" },
    { policy: "tables and networks" },
    { rollout: "collecting turns" },
    { search: "thinking ahead, steps counted" },
    { rule: "one file per value of a choice" },
    { exact: "enumeration: value, gradient" },
    { train: "the trainer, checkpoints" },
    { sweep: "many seeds and settings" },
    { monitor: "metrics, alarms, falls" },
    { plot: "charts from records" },
    { card: "the report card of a rule", play: "the playground" },
    { command: "the turnwise command" },
  ],
  "lib/practice": [
    { logs: "names and containers of logs" },
    { report: "a log's facts, card and picture" },
    {
      configs: "settings of other trainers",
      traces: "stored rollouts",
      watch: "a growing log",
      serve: "OpenEnv",
    },
    { lint: "what a configuration does that may not be meant" },
    { twin: "a configuration, trained in small worlds" },
    { doctor: "a run's files, as one page" },
    { commands: "of turnwise" },
  ],
  "lib/course": [
    { shared: "what several lessons use" },
    { teachers: "the appendix on teachers", worlds: "tables of worlds and policies" },
    {
      ...lessons,
      decide: "the page How we decide",
      newRules: "claims of the newer rules",
      systems: "small forms of published systems",
    },
    { exercise: "checks answers" },
    { commands: "copies the notebooks" },
  ],
  kernel: [
    { protocol: "messages and sockets", process: "pipes between processes" },
    { display: "values to media types" },
    { magics: "one file per magic" },
    { help: "docstrings as pages" },
    { client: "talks to a kernel" },
    { types: "checks, completes, compiles" },
    { widgets: "sliders, menus, comms" },
    { session: "runs the cells" },
    { front: "answers Jupyter" },
    { runner: "notebooks without Jupyter" },
    { poll: "a vote in class" },
    { cli: "the command turnwise" },
  ],
  site: [
    { shared: "what page and workers agree on" },
    { library: "the library in a page", math: "formulas" },
    { types: "the workers that read cells" },
    { cells: "the worker that runs cells", page: "JupyterLite's side" },
    { bare: "a page without JupyterLite", front: "the first page", views: "pages without a cell" },
  ],
};
