import assert from "node:assert/strict";
import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { tf } from "turnwise";
import "turnwise-course/jobs";
import { startData } from "turnwise/internal/sweep/quickStart";
import { loadTask, resolveTask } from "turnwise/internal/sweep/task";

const quickStart = require.resolve("turnwise/internal/sweep/quickStart");

describe("how threads of a sweep start", () => {
  it("load the file that defines a job of the library, not the whole tier that passes it on", () => {
    const { module } = resolveTask({ module: "turnwise-course/jobs", export: "orderJob" });
    assert.equal(path.basename(module!), "orderAblation.js");
    const job = loadTask({ module: module!, export: "orderJob", own: true });
    assert.equal(typeof job, "function");
  });

  it("load the tier where it has no such job, and say what the name may have been", () => {
    const task = resolveTask({ module: "turnwise-course/jobs", export: "orderJobs" });
    assert.equal(task.module, require.resolve("turnwise-course/jobs"));
    assert.throws(() => loadTask(task), /must export the function "orderJobs"\.\nDid you mean "orderJob"\?$/);
  });

  it("are told where files of the library and of packages are, and of no others, which may move", () => {
    // The library loads TensorFlow.js when something first asks it for something.
    tf.engine();
    const files = Object.values(startData().turnwisePaths!);
    assert.ok(files.some((file) => file.endsWith(path.join("course", "dist", "jobs.js"))));
    assert.ok(files.some((file) => file.includes(path.join("node_modules", "@tensorflow", "tfjs-core"))));
    assert.ok(!files.includes(__filename));
    assert.ok(!files.some((file) => file.includes(`${path.sep}build${path.sep}test${path.sep}`)));
  });

  it("know before their first import what they were told", async () => {
    const script = `require(${JSON.stringify(quickStart)});
      require("node:worker_threads").parentPort.postMessage(require("node:module")._pathCache["told"]);`;
    const worker = new Worker(script, {
      eval: true,
      workerData: { turnwisePaths: { told: "by the main thread" } },
    });
    const [answer] = (await once(worker, "message")) as [string];
    assert.equal(answer, "by the main thread");
    await worker.terminate();
  });
});
