"use strict";
// The folders of each package's sources from the ground up, each with what it is for. A folder imports only from the floors below its
// own: .dependency-cruiser.cjs enforces it, .ci/architecture.cjs draws it.

const lesson = (name) => ({ [name]: "a lesson" });

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
    { doctor: "a run's files, as one page" },
  ],
  "lib/course": [
    { shared: "what several lessons use" },
    lesson("00-start-here"),
    lesson("01-grpo-from-scratch"),
    lesson("02-impossibility-theorem"),
    lesson("03-update-order-ablation"),
    lesson("04-echo-trap"),
    lesson("05-off-policy-stability"),
    lesson("07-reward-signal"),
    lesson("06-agentic-pomdp"),
    lesson("08-step-credit"),
    lesson("09-search-and-world-models"),
    lesson("10-language-model"),
    lesson("11-your-own-run"),
    { teachers: "the appendix on teachers", worlds: "tables of worlds and policies" },
    { exercise: "checks answers" },
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
    { runner: "notebooks without Jupyter", browser: "the kernel in a web page" },
    { cli: "the command turnwise" },
  ],
};
