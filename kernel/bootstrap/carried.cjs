"use strict";
// Packages that ours carry inside, in dist/node_modules, where Node finds them before any other: each as one file, without what
// only its authors need (maps, other builds, compilers of add-ons). An installation is a third of the size, and needs no scripts.

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

/** The machines for which zeromq's add-on is carried; on others, npm install zeromq beside the kernel provides it. */
const addons = {
  linux: { x64: ["glibc", "musl"], arm64: ["glibc", "musl"] },
  darwin: { x64: ["libc"], arm64: ["libc"] },
  win32: { x64: ["msvc"], arm64: ["msvc"] },
};

/** The packages inside each of ours, by how each is made. */
const carried = {
  kernel: {
    "fastest-levenshtein": bundle,
    katex: bundle,
    "markdown-it": bundle,
    "sanitize-html": bundle,
    tslab: typesOfTslab,
    typescript: leanTypescript,
    uqr: bundle,
    vega: bundle,
    "vega-lite": bundle,
    zeromq: zeromq,
  },
  "lib/turnwise": {
    "@tensorflow/tfjs-backend-cpu": tensorflow,
    "@tensorflow/tfjs-core": tensorflow,
    pdfkit: pdfkit,
    "svg-to-pdfkit": bundle,
    vega: bundle,
    "vega-lite": bundle,
  },
};

/** Packages that a bundler for pages finds beside the modules that package.json gives it. */
const forPages = {
  "lib/turnwise": ["@tensorflow/tfjs-backend-cpu", "@tensorflow/tfjs-core", "vega", "vega-lite"],
};

// Lines are short, since Node prints the line of an error.
const minified = { minify: true, lineLimit: 160, target: "node20", legalComments: "none", logLevel: "error" };

/** A package and the file that `require` of it loads. */
function found(name, from) {
  const main = require.resolve(name, { paths: [from] });
  const mark = path.join("node_modules", name) + path.sep;
  const folder = main.slice(0, main.lastIndexOf(mark) + mark.length - 1);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  return { name: name, main: main, folder: folder, manifest: manifest, from: from };
}

/** The code of a file with that of all packages that it asks for, and the files that it is made of. */
function bundled(main) {
  const made = require("esbuild").buildSync(
    Object.assign({}, minified, {
      entryPoints: [main],
      bundle: true,
      platform: "node",
      format: "cjs",
      // Drawn with where the user has it.
      external: ["canvas"],
      metafile: true,
      write: false,
    }),
  );
  return { code: made.outputFiles[0].text, inputs: Object.keys(made.metafile.inputs) };
}

/** One file that loads as the package does. */
function bundle(one, out, o) {
  const { code, inputs } = bundled(one.main);
  writeWhole(one, out, code, o);
  licenses(inputs, one, out);
}

function writeWhole(one, out, code, o) {
  const file = (o && o.file) || "index.js";
  write(out, path.posix.join(path.posix.dirname(file), "whole.js"), code);
  // Node reads these names for `import { View } from "vega"`. In a module of their own, as a bundle has other looks of them, too.
  const names = Object.keys(require(one.main)).filter(
    (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default",
  );
  const shown = names.length === 0 ? "" : "0 && (module.exports = { " + names.join(", ") + " });\n";
  const load = (o && o.load) || 'const whole = require("./whole.js");\n';
  write(out, file, '"use strict";\n' + load + "module.exports = whole;\n" + shown);
  describe(one, out, file, o && o.more);
}

/** A backend registers with the one TensorFlow.js that the library loads. */
const core = "@tensorflow/tfjs-core";

/** One module for pages. */
function pageModule(one, out) {
  const made = require("esbuild").buildSync(
    Object.assign({}, minified, {
      absWorkingDir: one.from,
      entryPoints: [one.name],
      bundle: true,
      platform: "browser",
      format: "esm",
      external: one.name === core ? [] : [core],
      metafile: true,
      write: false,
    }),
  );
  write(out, "index.mjs", made.outputFiles[0].text);
  describe(one, out, "index.mjs");
  licenses(
    Object.keys(made.metafile.inputs)
      // These are left out, because package.json says that pages do without.
      .filter((file) => !file.startsWith("(disabled):"))
      .map((file) => path.resolve(one.from, file)),
    one,
    out,
  );
}

/** Runs in the package that is carried: other machines have the zeromq that was installed, and compiled, next to the kernel. */
const orInstalled = (version) => `const path = require("path");
let whole;
try {
  whole = require("./whole.js");
} catch (error) {
  const installed = (() => {
    try {
      return require.resolve("zeromq", { paths: [path.join(__dirname, "..", "..", "..", "..")] });
    } catch {
      return undefined;
    }
  })();
  if (installed === undefined) {
    throw new Error(
      "Cannot load ZeroMQ, by which kernels talk to Jupyter: its add-on must be one for " + process.platform + " " + process.arch +
        ", but " + error.message.split("\\n")[0] + "\\nTo fix it: npm install zeromq@${version} --foreground-scripts, next to turnwise-kernel; it compiles one.",
      { cause: error },
    );
  }
  whole = require(installed);
}
`;

function zeromq(one, out) {
  bundle(one, out, { file: "lib/index.js", load: orInstalled(one.manifest.version) });
  const build = path.join(one.folder, "build");
  const listed = JSON.parse(fs.readFileSync(path.join(build, "manifest.json"), "utf8"));
  const chosen = {};
  Object.keys(addons).forEach((os) => {
    Object.keys(addons[os]).forEach((arch) => {
      addons[os][arch].forEach((libc) => {
        // They are for Node-API, so one serves every Node: the one that zeromq itself would try first.
        const fitting = Object.keys(listed)
          .map((key) => ({ key: key, of: JSON.parse(key) }))
          .filter(({ of }) => of.os === os && of.arch === arch && of.libc === libc)
          .sort((a, b) => b.of.abi - a.of.abi);
        if (fitting.length === 0) throw new Error("zeromq has no add-on for " + [os, arch, libc].join(" "));
        const file = listed[fitting[0].key].replace(/\\/g, "/");
        chosen[fitting[0].key] = file;
        write(out, "build/" + file, fs.readFileSync(path.join(build, file)));
      });
    });
  });
  write(out, "build/manifest.json", JSON.stringify(chosen) + "\n");
  fs.readdirSync(path.join(one.folder, "lib"))
    .filter((name) => name.endsWith(".d.ts"))
    .forEach((name) => write(out, "lib/" + name, fs.readFileSync(path.join(one.folder, "lib", name))));
}

/**
 * Runs in the package that is carried: if you have installed the same version, it is used, so that your tensors and those of the
 * library are made by one copy. Two copies share their engine and kernels, but not their registered classes.
 */
const orYours = (one) => `const path = require("path");
let yours;
try {
  const manifest = require.resolve("${one.name}/package.json", { paths: [path.join(__dirname, "..", "..", "..", "..", "..")] });
  if (require(manifest).version === "${one.manifest.version}") yours = path.dirname(manifest);
} catch {}
const whole = require(yours === undefined ? "./whole.js" : yours);
`;

/** TensorFlow.js: the build that Node loads, of seven, and its types. It is not minified: that changes the names of its classes. */
function tensorflow(one, out) {
  const code = fs.readFileSync(one.main, "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, "");
  const inputs = [];
  const text = code.replace(/\brequire\('([^']+)'\)/g, (written, name) => {
    if (name === core || (one.manifest.dependencies || {})[name] === undefined) return written;
    const made = bundled(require.resolve(name, { paths: [one.folder] }));
    write(out, name + ".js", made.code);
    inputs.push(...made.inputs);
    return 'require("./' + name + '.js")';
  });
  // TypeScript takes two copies for one if these agree.
  const { peerDependencies } = one.manifest;
  const more = Object.assign({ types: "dist/index.d.ts" }, peerDependencies && { peerDependencies });
  writeWhole(one, out, text, { load: orYours(one), more });
  licenses(inputs, one, out);
  const types = path.join(one.folder, "dist");
  let webgpu;
  fs.readdirSync(types, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".d.ts") && !name.endsWith("_test.d.ts"))
    .forEach((name) => {
      const up = path.posix.relative(path.posix.dirname(name.replace(/\\/g, "/")), "webgpu.d.ts");
      const text = fs.readFileSync(path.join(types, name), "utf8");
      const own = text.replace(/<reference types="(@webgpu\/[^"]+)" \/>/, (_, folder) => {
        webgpu = require.resolve(folder + "/index.d.ts", { paths: [one.folder] });
        return '<reference path="' + up + '" />';
      });
      write(out, "dist/" + name, own);
    });
  if (webgpu !== undefined) write(out, "dist/webgpu.d.ts", fs.readFileSync(webgpu));
}

/** PDFKit asks for the metrics of its fonts by a name of its package.json, when a page uses one. */
function pdfkit(one, out) {
  bundle(one, out);
  // In place: the folder is new.
  fs.cpSync(path.join(path.dirname(one.main), "standard-fonts"), path.join(out, "standard-fonts"), {
    recursive: true,
  });
  describe(one, out, "index.js", { imports: { "#standard-fonts/*": "./standard-fonts/*.cjs" } });
}

/** Cells import `display` from it. Its converter brings a TypeScript of 40 MB, which whoever wants it installs. */
function typesOfTslab(one, out) {
  write(out, "dist/public.d.ts", fs.readFileSync(path.join(one.folder, "dist", "public.d.ts")));
  write(out, "dist/public.js", '"use strict";\nthrow new Error("Only cells can import tslab.");\n');
  describe(one, out, "dist/public.js", { types: "dist/public.d.ts" });
  licenses([], one, out);
}

/** The compiler in its short form, and the standard library of its language. */
function leanTypescript(one, out) {
  const lib = path.dirname(one.main);
  const { code } = require("esbuild").transformSync(
    fs.readFileSync(one.main, "utf8"),
    Object.assign({}, minified, { legalComments: "eof" }),
  );
  write(out, "lib/typescript.js", code);
  fs.readdirSync(lib)
    .filter((name) => /^lib\..*d\.ts$/.test(name) || name === "typescript.d.ts")
    .forEach((name) => write(out, "lib/" + name, fs.readFileSync(path.join(lib, name))));
  describe(one, out, "lib/typescript.js", { types: "lib/typescript.d.ts" });
  licenses([], one, out);
}

function write(folder, name, content) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // In place: the folder is new.
  fs.writeFileSync(file, content);
}

function describe(one, out, main, more) {
  const { name, version, license } = one.manifest;
  const described = Object.assign({ name: name, version: version, license: license, main: main }, more);
  write(out, "package.json", JSON.stringify(described, null, 2) + "\n");
}

/** The license of every package whose code is in the file. */
function licenses(inputs, one, out) {
  const folders = new Set([one.folder]);
  inputs.forEach((input) => {
    const match = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(path.resolve(input));
    if (match) folders.add(match[1]);
  });
  const texts = Array.from(folders, (folder) => {
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const files = fs.readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
    const text = files
      .filter((name) => fs.statSync(path.join(folder, name)).isFile())
      .map((name) => fs.readFileSync(path.join(folder, name), "utf8").trim());
    const head = manifest.name + " " + manifest.version + " (" + (manifest.license || "see below") + ")";
    return [head].concat(text).join("\n\n");
  });
  write(out, "LICENSES.txt", texts.sort().join("\n\n" + "-".repeat(70) + "\n\n") + "\n");
}

/** Writes packages into a folder, unless they are there already. */
function carry(target, parts) {
  const key = crypto
    .createHash("sha256")
    .update(fs.readFileSync(__filename))
    .update(parts.map((one) => one.name + "@" + one.manifest.version).join())
    .digest("hex");
  const stamp = path.join(target, ".carried");
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === key) return;
  const fresh = target + "." + process.pid + ".new";
  try {
    parts.forEach((one) => one.make(one, path.join(fresh, one.name)));
    write(fresh, ".carried", key);
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(fresh, target);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

/** Writes what our packages carry. Nothing happens without esbuild, which only a checkout has. */
function carryAll(root) {
  try {
    require.resolve("esbuild");
  } catch (_missing) {
    return;
  }
  Object.keys(carried).forEach((name) => {
    const from = path.join(root, name);
    const inside = (folder, parts) => {
      if (fs.existsSync(path.join(from, folder))) carry(path.join(from, folder, "node_modules"), parts);
    };
    const parts = Object.keys(carried[name]);
    inside(
      "dist",
      parts.map((part) => Object.assign(found(part, from), { make: carried[name][part] })),
    );
    const pages = forPages[name] || [];
    if (pages.length > 0)
      inside(
        "esm",
        pages.map((part) => Object.assign(found(part, from), { make: pageModule })),
      );
  });
}

/** The names of the packages that a workspace carries. */
const carriedBy = (workspace) => Object.keys(carried[workspace] || {});

module.exports = { carryAll: carryAll, carriedBy: carriedBy };

if (require.main === module) carryAll(path.join(__dirname, "..", ".."));
