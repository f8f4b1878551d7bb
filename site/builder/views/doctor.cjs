"use strict";
// The worker of the page that examines a run: one module that holds the whole script as text, so that the page can start it, and start it
// again, without a request.

const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const { bundle } = require("../bundles.cjs");
const { withoutTensors } = require("../library.cjs");

const root = path.join(__dirname, "..", "..", "..");
const view = (name) => path.join(root, "site", "src", "views", "doctor", name);

const twin = path.join(root, "lib", "practice", "src", "twin", "index.ts");

/** Keeps out of the bundle what reading files never runs: the twin, charts and tables. */
const reduced = {
  name: "reduced",
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\/(.*\/)?twin$/ }, ({ path: name, resolveDir }) =>
      path.resolve(resolveDir, name, "index.ts") === twin ? { path: view("noTwin.ts") } : undefined,
    );
    // Charts, tables and cards of notebooks: the page draws its own picture.
    build.onResolve(
      { filter: /^(vega|vega-lite|danfojs-node|@resvg\/resvg-wasm)(\/|$)|^\.\/cards\/found$/ },
      ({ path: name }) => ({
        path: name,
        namespace: "left-out",
      }),
    );
    build.onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** Content of the sample runs, by path. */
const samples = {
  fell: { "our-run.jsonl": "datasets/logs/verl.jsonl" },
  entropy: {
    "entropy-rises/launch.sh": "datasets/debugging/entropy-rises/launch.sh",
    "entropy-rises/run.jsonl": "datasets/debugging/entropy-rises/run.jsonl",
  },
};

const sampleTexts = () =>
  Object.fromEntries(
    Object.entries(samples).map(([name, files]) => [
      name,
      Object.fromEntries(
        Object.entries(files).map(([to, from]) => [to, fs.readFileSync(path.join(root, from), "utf8")]),
      ),
    ]),
  );

/** Writes what the page loads once its first picture is there; gives the compressed size of each. */
async function writeDoctorParts(folder) {
  const script = path.join(folder, "worker.js");
  const { metafile } = await bundle({
    entry: view("worker.ts"),
    outfile: script,
    format: "iife",
    plugins: [withoutTensors(path.join(root, "site", "src", "views", "shared", "noTensors.ts")), reduced],
  });
  const text = (value) => `export default ${JSON.stringify(value)};\n`;
  fs.writeFileSync(script, text(fs.readFileSync(script, "utf8")));
  fs.writeFileSync(path.join(folder, "samples.js"), text(sampleTexts()));
  const sizes = ["worker.js", "samples.js"].map((name) => [
    name,
    zlib.gzipSync(fs.readFileSync(path.join(folder, name)), { level: 9 }).length,
  ]);
  return { sizes: Object.fromEntries(sizes), metafile };
}

module.exports = { writeDoctorParts: writeDoctorParts };
