"use strict";

// Preloaded (NODE_OPTIONS) into every process of a run of tests: notes which functions of the compiled tree were called.
const fs = require("node:fs");
const inspector = require("node:inspector");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { isMainThread, threadId } = require("node:worker_threads");

const { MUTANTS_REACH: folder, MUTANTS_ROOT: root, MUTANTS_PRODUCTS: names } = process.env;
const products = names.split(",").map((name) => `${pathToFileURL(path.join(root, name)).href}/`);
const base = pathToFileURL(root).href + "/";
const called = {};
const session = new inspector.Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

function take() {
  session.post("Profiler.takePreciseCoverage", (_, answer) => {
    for (const { url, functions } of answer?.result ?? []) {
      if (!products.some((product) => url.startsWith(product))) continue;
      const file = (called[decodeURIComponent(url.slice(base.length))] ??= {});
      for (const { ranges } of functions) {
        const { startOffset, endOffset, count } = ranges[0];
        file[`${startOffset}-${endOffset}`] ||= count > 0;
      }
    }
  });
  if (Object.keys(called).length === 0) return;
  const file = path.join(folder, `${process.pid}-${isMainThread ? 0 : threadId}`);
  // In two steps, as a process may be killed in between.
  fs.writeFileSync(file, JSON.stringify(called));
  fs.renameSync(file, `${file}.json`);
}

process.on("exit", take);
// A process that is killed does not get there.
setInterval(take, 1500).unref();
