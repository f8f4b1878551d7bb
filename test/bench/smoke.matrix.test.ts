import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { runsOf } from "./history.js";
import { printed, printedBy } from "./printed.js";

describe("benchmarks, in short and without peers", () => {
  after(removeTemporaryFolders);

  it("update: fused and float64 have the same losses and both are timed, for each kind of policy", async () => {
    const out = await printed("update", ["--rounds", "1", "--samples", "64", "--milliseconds", "1"]);
    for (const kind of ["mlp", "gru", "transformer"])
      assert.match(out, new RegExp(`^\\| ${kind}, 64 +\\|`, "m"));
    assert.equal(out.match(/float64/g)!.length, 3);
    assert.match(out, /TensorFlow\.js(, node-gpu| on node-gpu: .+)/);
    assert.doesNotMatch(out.split("\n\n")[0]!, /NaN|Infinity/);
  }).timeout(120_000);

  it("rollout: tokens are drawn with the state carried and again", async () => {
    const out = await printed("rollout", ["--rounds", "1", "--batches", "1", "--milliseconds", "20"]);
    assert.match(out, /^\| gru, 1 \| fused \| [\d.e+]+ \| 1 \| 1 \|$/m);
    assert.match(out, /^\| transformer, 1 \| fused \| [\d.e+]+ \| 1 \| 1 \|$/m);
    assert.doesNotMatch(out, /NaN|Infinity/);
  }).timeout(120_000);

  it("the page: names machine, load and versions, runs the parts asked for, and remembers each run", async () => {
    const history = temporaryFolder();
    const page = ["--quick", "--no-peers", "--history", history, "tabular"];
    const out = await printedBy("main.js", page);
    assert.match(out, /^# turnwise \S+, Node \d+\.\d+\.\d+$/m);
    assert.match(out, /^\d+ x .+; load [\d.]+; \d{4}-\d\d-\d\dT\d\d:\d\dZ\.$/m);
    assert.match(out, /^Compared with nothing else; short form\.$/m);
    assert.match(out, /^## An update of a table/m);
    assert.match(out, /nothing to compare with yet on this machine and Node\.$/m);
    const [run] = runsOf(history, "tabular");
    assert.deepEqual(
      run!.figures.map(({ contender }) => contender),
      ["turnwise"],
    );
    assert.match(await printedBy("main.js", page), /^Load .* against \S+ of /m);
    assert.match(
      await printedBy("main.js", ["--compare", "--history", history, "tabular"]),
      /^tabular: .* (none of 1 figures of ours moved|1 of 1 figures moved)/,
    );
  }).timeout(120_000);

  it("the page: says what it can be told, and only shows tables if asked", async () => {
    const help = await printedBy("main.js", ["--help"]);
    for (const word of [
      "update rollout tabular",
      "--tables",
      "--node 24",
      "notebooks [FILES]",
      "--against REVISION",
    ])
      assert.ok(help.includes(word), word);
    const page = ["--quick", "--no-peers", "--tables", "--history", temporaryFolder(), "tabular"];
    const out = await printedBy("main.js", page);
    assert.match(out, /^\| turnwise \|/m);
    assert.doesNotMatch(out, /nothing to compare with/);
    assert.match(
      out,
      /^# turnwise \S+, Node 24\.|^Node 24 is this one, or is not here: npm run nodes fetches it\.$/m,
    );
  }).timeout(120_000);

  it("update: other processes of ours have rows, with the losses of this one", async () => {
    const out = await printed("update", [
      ...["--rounds", "1", "--samples", "64", "--kinds", "gru", "--milliseconds", "1", "--skip", "float64"],
      ...["--others", "fused 2T,WASM 1T"],
    ]);
    assert.match(out, /^\| gru, 64 +\| fused \|/m);
    for (const name of ["fused 2T", "WASM 1T"]) assert.match(out, new RegExp(`^\\|  \\| ${name} \\|`, "m"));
  }).timeout(120_000);

  it("notebooks: the processor time of one, here alone", async () => {
    const out = await printedBy("notebooks.js", ["notebooks/exercises/01-leave-one-out.ipynb"]);
    assert.match(out, /^\| 01-leave-one-out\.ipynb \| [\d.]+ \| [\d.]+ \|$/m);
  }).timeout(180_000);

  it("tabular: updates are timed", async () => {
    const out = await printed("tabular", ["--rounds", "1"]);
    assert.match(out, /^\| turnwise \| [\d.e+-]+ \| [\d.e+]+ \| 1 \| [\d.e+-]+ \| 1 \|$/m);
  }).timeout(120_000);

  it("end to end: three rules reach 95% of the optimum", async () => {
    const out = await printed("endToEnd", ["--seeds", "1", "--worlds", "MatrixChain-v0"]);
    for (const rule of ["grpo", "ppo", "seeUpo"])
      assert.match(out, new RegExp(`^\\| MatrixChain-v0, ${rule} \\| all \\| \\d+ \\| [\\d.]+ \\|`, "m"));
  }).timeout(120_000);

  it("sweep: one thread, two workers and two processes are timed, and the second of two sweeps", async () => {
    const size = ["--rounds", "1", "--jobs", "2", "--updates", "20"];
    const first = await printedBy("sweep.js", size);
    const took = String.raw`: [\d.]+ s, [\d.]+ s, processor [\d.]+ s`;
    assert.match(first, new RegExp(`^one thread${took}$`, "m"));
    for (const form of ["two workers", "two processes"])
      assert.match(first, new RegExp(`^${form}${took}; [\\d.]+ and [\\d.]+ times as fast$`, "m"));
    assert.match(
      await printedBy("sweep.js", [...size, "--again"]),
      /^two workers, again: .* times as fast$/m,
    );
  }).timeout(120_000);

  it("growth: every axis has a slope for each kind of policy, and a figure", async () => {
    const svg = join(temporaryFolder(), "growth.svg");
    const out = await printed("growth", [
      ...["--rounds", "1", "--steps", "2", "--milliseconds", "1", "--svg", svg],
    ]);
    assert.equal(
      out.match(/^\| (N|T|L|parameters) \| (mlp|gru|transformer) \|.* -?[\d.]+ \|$/gm)!.length,
      12,
    );
    assert.match(readFileSync(svg, "utf8"), /^<svg/);
  }).timeout(120_000);
});
