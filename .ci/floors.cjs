"use strict";
// The rooms of lib/turnwise/src and kernel/src from the ground up, each with what it is for. A room imports only from the floors
// below its own: .dependency-cruiser.cjs enforces it, .ci/architecture.cjs draws it.

module.exports = {
  lib: [
    { base: "guards, statistics, randomness" },
    { schema: "every option, declared once" },
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
    { monitor: "metrics, alarms, logs", serve: "worlds by OpenEnv" },
    { plot: "charts from records" },
    { study: "what the notebooks claim" },
    { play: "the playground", exercise: "self-checking exercises", practice: "logs and batches of others" },
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
