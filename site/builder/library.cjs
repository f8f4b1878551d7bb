"use strict";
// The library for a site, build/site-parts/library/: a module for each tier, which share what they share, the workers of sweeps
// and of large networks, and the files that pictures need. Run by itself, it also tells the sizes.

const fs = require("fs");
const path = require("path");
const ts = require("typescript");
const zlib = require("zlib");
const { bundle, courseEntries } = require("./bundles.cjs");

const root = path.join(__dirname, "..", "..");
const browser = path.join(root, "site", "src", "library");
const library = (name, ...parts) => path.join(root, "lib", name, "src", ...parts);
const source = (...parts) => library("turnwise", ...parts);

/** Each script and its source. */
const entries = {
  turnwise: source("index.ts"),
  exact: source("exact", "index.ts"),
  plot: source("plot", "index.ts"),
  practice: library("practice", "index.ts"),
  rule: source("rule", "index.ts"),
  search: source("searchTier.ts"),
  verdict: source("verdict", "index.ts"),
  course: library("course", "index.ts"),
  ...Object.fromEntries(Object.entries(courseEntries()).map(([name, file]) => [`course-${name}`, file])),
  tensor: source("tensor", "index.ts"),
  browser: source("browserTier.ts"),
  jobs: path.join(browser, "jobs.ts"),
  helper: path.join(browser, "helper.ts"),
};

/** Replacement of danfojs. */
const frames = path.join(browser, "danfojs.ts");

const assets = {
  "DejaVuSans.ttf": path.join(root, "lib", "turnwise", "vendor", "fonts", "DejaVuSans.ttf"),
  "DejaVuSans-Bold.ttf": path.join(root, "lib", "turnwise", "vendor", "fonts", "DejaVuSans-Bold.ttf"),
  "resvg.wasm": require.resolve("@resvg/resvg-wasm/index_bg.wasm"),
};

/** Files that the site serves separately, and their replacements in the bundle. */
const lazy = {
  [source("tensor", "backends", "tf.ts")]: path.join(browser, "lazy", "tf.ts"),
  [source("tensor", "float64", "doubles.ts")]: path.join(browser, "lazy", "tf.ts"),
  [source("tensor", "fused", "binary.ts")]: path.join(browser, "lazy", "binary.ts"),
};

/** Keeps TensorFlow.js and the compiled kernels out of a bundle: `standIns` are the files that replace theirs. */
const apartWith = (standIns) => ({
  name: "apart",
  setup(build) {
    build.onResolve({ filter: /^#fused\/binary$/ }, () => ({
      path: standIns[source("tensor", "fused", "binary.ts")],
    }));
    build.onResolve({ filter: /^\.{1,2}\/(.*\/)?(tf|doubles|binary)$/ }, ({ path: name, resolveDir }) => {
      const standIn = standIns[path.resolve(resolveDir, `${name}.ts`)];
      return standIn === undefined ? undefined : { path: standIn };
    });
  },
});

const apart = apartWith(lazy);

/** Nothing of them, not even on demand. */
const withoutTensors = (standIn) =>
  apartWith({
    ...lazy,
    [source("tensor", "backends", "tf.ts")]: standIn,
    [source("tensor", "float64", "doubles.ts")]: standIn,
  });

/**
 * Keeps the names of the library's classes, by which notebooks show what they are made of, and marks the loops that call something:
 * in a page, nothing else can interrupt them.
 */
const marked = {
  name: "marked",
  setup(build) {
    build.onLoad(
      { filter: /[\\/](lib[\\/]\w+[\\/]src|site[\\/]src[\\/]library)[\\/].*\.ts$/ },
      ({ path: file }) => {
        const text = fs.readFileSync(file, "utf8");
        // The kernels' own loops are short, and hot.
        const isOurs = file.startsWith(path.join(root, "lib")) && !file.startsWith(source("tensor", "fused"));
        return { loader: "ts", contents: named(isOurs ? withMarks(text) : text) };
      },
    );
  },
};

const named = (text) =>
  text.replaceAll(
    /^export (?:abstract )?class (\w+)[^{]*\{/gm,
    (head, name) => `${head} static readonly name = ${JSON.stringify(name)};`,
  );

/** A call of the mark at the head of each loop whose body calls something. */
function withMarks(text) {
  const file = ts.createSourceFile("file.ts", text, ts.ScriptTarget.ESNext);
  const places = [];
  const calls = (node) =>
    ts.isCallExpression(node) || ts.isNewExpression(node) || ts.forEachChild(node, calls) === true;
  const visit = (node) => {
    if (ts.isIterationStatement(node, false) && calls(node.statement)) {
      const { statement } = node;
      if (ts.isBlock(statement)) places.push([statement.getStart(file) + 1, "siteMark();"]);
      else places.push([statement.getStart(file), "{siteMark();"], [statement.end, "}"]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (places.length === 0) return text;
  let out = text;
  for (const [at, what] of places.sort(([a], [b]) => b - a)) out = out.slice(0, at) + what + out.slice(at);
  return `import { mark as siteMark } from ${JSON.stringify(path.join(browser, "mark.ts"))};${out}`;
}

/** Has a backend register with the TensorFlow.js that the library has loaded, and not with one of its own. */
const onOurs = {
  name: "on-ours",
  setup(build) {
    build.onResolve({ filter: /^@tensorflow\/tfjs-core$/ }, ({ path: name }) => ({
      path: name,
      namespace: "ours",
    }));
    build.onLoad({ filter: /.*/, namespace: "ours" }, () => ({
      contents: "module.exports = globalThis.turnwiseTf.tf;",
    }));
  },
};

/** The compiled kernels of networks, out of the text in which the library has them. */
function writeKernels(folder) {
  const text = fs.readFileSync(source("tensor", "fused", "binary.ts"), "utf8");
  const files = { plain: "binary", relaxed: "relaxedBinary" };
  for (const [file, name] of Object.entries(files)) {
    const [, code] = new RegExp(`export const ${name} =\\s*"([^"]+)"`).exec(text);
    fs.writeFileSync(path.join(folder, `${file}.wasm`), Buffer.from(code, "base64"));
  }
}

/**
 * Writes the library into a folder.
 *
 * @returns the files that each entry needs before it runs, with their sizes in bytes, by the name of the entry
 */
async function bundleLibrary(folder = path.join(root, "build", "site-parts", "library")) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const { metafile } = await bundle({
    entries,
    outdir: folder,
    format: "esm",
    conditions: ["turnwise-source"],
    alias: { "danfojs-node": frames },
    plugins: [apart, marked],
  });
  await bundle({
    entry: source("tensor", "float64", "doubles.ts"),
    outfile: path.join(folder, "tf.js"),
    format: "iife",
    globalName: "turnwiseTf",
    // A strict script that is evaluated keeps its variables to itself.
    footer: { js: "globalThis.turnwiseTf = turnwiseTf;" },
  });
  await bundle({
    // Its modules, as the classes of its script for Node cannot extend those of TensorFlow.js here.
    entry: require.resolve("@tensorflow/tfjs-backend-webgpu/dist/index.js"),
    outfile: path.join(folder, "webgpu.js"),
    format: "esm",
    plugins: [onOurs],
  });
  await bundle({
    entry: frames,
    outfile: path.join(folder, "danfojs.js"),
    format: "esm",
    conditions: ["turnwise-source"],
    plugins: [marked],
  });
  await bundle({
    entry: path.join(browser, "node", "assert.ts"),
    outfile: path.join(folder, "assert.js"),
    format: "esm",
  });
  writeKernels(folder);
  for (const [name, file] of Object.entries(assets)) fs.copyFileSync(file, path.join(folder, name));
  return sizes(metafile);
}

/** Sizes of the scripts that a browser loads before an entry runs: the entry, and its imports other than calls of import(). */
function sizes({ outputs }) {
  const files = Object.fromEntries(
    Object.entries(outputs).map(([file, one]) => [path.resolve(root, file), one]),
  );
  const needed = (file, found = new Set()) => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path: other, kind } of files[file].imports) {
      if (kind === "import-statement") needed(path.resolve(root, other), found);
    }
    return found;
  };
  return Object.fromEntries(
    Object.entries(files)
      .filter(([, one]) => one.entryPoint && path.resolve(root, one.entryPoint) in byEntry)
      .map(([file, one]) => {
        const texts = [...needed(file)].map((each) => fs.readFileSync(each));
        const bytes = texts.reduce((sum, text) => sum + text.length, 0);
        const gzip = texts.reduce((sum, text) => sum + zlib.gzipSync(text, { level: 9 }).length, 0);
        return [byEntry[path.resolve(root, one.entryPoint)], { bytes, gzip, files: texts.length }];
      }),
  );
}

const byEntry = Object.fromEntries(Object.entries(entries).map(([name, file]) => [file, name]));

module.exports = { bundleLibrary, withoutTensors };

if (require.main === module) {
  void bundleLibrary().then((found) => {
    console.log("entry        KB  gzip KB  files");
    for (const [name, { bytes, gzip, files }] of Object.entries(found)) {
      const kb = (n) => (n / 1000).toFixed(0).padStart(7);
      console.log(name.padEnd(9) + kb(bytes) + kb(gzip).padStart(9) + String(files).padStart(7));
    }
  });
}
