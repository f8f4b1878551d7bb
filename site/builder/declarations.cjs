"use strict";
// Packs the declarations that cells can reach into one file for the browser, and bundles the two workers that read cells.

const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const { builtinModules } = require("module");
const ts = require("typescript");
const { bundle, nodeStandIns } = require("./bundles.cjs");
const { onlyParser } = require("./parser.cjs");

const root = path.join(__dirname, "..", "..");
const kernel = path.join(root, "kernel");
const parts = path.join(root, "build", "site-parts");

/** Files whose comments stay: what a hover over a name of theirs shows. Of Node's modules, those that cells are likely to use. */
const commented = [
  /\/(turnwise|turnwise-kernel|turnwise-practice|turnwise-course)\//,
  /\/typescript\/lib\//,
  /\/@tensorflow\/tfjs-core\//,
  /\/@types\/node\/(path|os|url|util|timers|events|globals|console|buffer|crypto|fs|fs\/promises|perf_hooks)\.d\.ts$/,
];

/** All files that the types of a cell may ask for, by their paths on this machine. */
function reachable(packages) {
  const { useHost } = require(path.join(kernel, "dist/types/host.js"));
  const { nodeHost } = require(path.join(kernel, "dist/types/node-host.js"));
  const { LanguageServiceEngine } = require(path.join(kernel, "dist/types/language-service.js"));
  const read = new Set();
  const noted = (file) => {
    const text = nodeHost.files.read(file);
    if (text !== undefined) read.add(fs.realpathSync(file));
    return text;
  };
  useHost({ ...nodeHost, files: { ...nodeHost.files, read: noted } });
  const engine = new LanguageServiceEngine(path.join(root, "notebooks"), {});
  const { knownEntryPoints } = require(path.join(kernel, "dist/types/known-entry-points.js"));
  const tiers = knownEntryPoints(path.join(root, "notebooks"));
  const imports = [...tiers, "turnwise/browser", "turnwise-kernel", "tslab", ...packages];
  const wrong = engine.check(imports.map((name) => `import ${JSON.stringify(name)};`).join("\n"));
  if (wrong.length > 0)
    throw new Error(`Cannot pack the declarations: all must be there: ${wrong[0].message}`);
  const libraries = nodeHost.standardLibraries();
  for (const name of fs.readdirSync(libraries))
    if (/^lib\.(es\w+|decorators)(\.(?!full)[\w.]+)?\.d\.ts$/.test(name)) noted(path.join(libraries, name));
  return [...read].filter((file) => !path.relative(root, file).startsWith(".."));
}

/** Path of a file in the packed tree: in the folder of its package. */
function packedPath(file, packedRoot) {
  const at = file.lastIndexOf(`${path.sep}node_modules${path.sep}`);
  if (at >= 0) return `${packedRoot}${file.slice(at).replaceAll("\\", "/")}`;
  for (let folder = path.dirname(file); folder.startsWith(root); folder = path.dirname(folder)) {
    const manifest = path.join(folder, "package.json");
    if (folder === root || !fs.existsSync(manifest)) continue;
    const { name } = JSON.parse(fs.readFileSync(manifest, "utf8"));
    return `${packedRoot}/node_modules/${name}/${path.relative(folder, file).replaceAll("\\", "/")}`;
  }
  return undefined;
}

/** Of a package.json, what the resolution of modules asks for, and what the package declares to the kernel. */
function manifestText(text) {
  const { name, version, type, main, types, typings, typesVersions, exports, jupyterKernel, dependencies } =
    JSON.parse(text);
  // The order of the packages follows from what they depend on.
  const declared = jupyterKernel && { jupyterKernel, dependencies };
  return JSON.stringify({ name, version, type, main, types, typings, typesVersions, exports, ...declared });
}

/** Declarations without comments and indentation; references to other files, which are written as comments, stay. */
function withoutComments(text) {
  const file = ts.createSourceFile("some.d.ts", text, ts.ScriptTarget.ESNext, true);
  let out = "";
  const visit = (node) => {
    const children = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
    if (children.length > 0) return children.forEach(visit);
    const start = node.getStart(file, false);
    const before = text.slice(node.pos, start);
    const references = before.match(/^\/\/\/.*$/gm) ?? [];
    const gap = before.includes("\n") ? "\n" : before === "" ? "" : " ";
    out += [
      ...references.map((line) => line + "\n"),
      out === "" ? "" : gap,
      text.slice(start, node.end),
    ].join("");
  };
  visit(file);
  return out;
}

function pack(packages) {
  const { packedRoot } = require(path.join(kernel, "dist/types/packed.js"));
  const files = {};
  const typed = packages.filter((name) => typesOf(name) !== undefined);
  for (const file of reachable(typed)) {
    const packed = packedPath(file, packedRoot);
    if (packed === undefined) continue;
    const text = fs.readFileSync(file, "utf8");
    if (packed.endsWith("/package.json")) files[packed] = manifestText(text);
    else if (/\.d\.[cm]?ts$/.test(packed))
      files[packed] = commented.some((one) => one.test(packed)) ? text : withoutComments(text);
  }
  for (const name of packages.filter((one) => !typed.includes(one))) untyped(files, packedRoot, name);
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { files: sorted, builtins: builtins() };
}

/** The file with the types of a package, its own or those of @types. */
function typesOf(name) {
  const options = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Bundler };
  const from = path.join(root, "notebooks", "notebook.ts");
  const { resolvedModule } = ts.resolveModuleName(name, from, options, ts.sys);
  const file = resolvedModule?.resolvedFileName;
  return file !== undefined && /\.d\.[cm]?ts$/.test(file) ? file : undefined;
}

/** A package without types may be imported, and is of any type. */
function untyped(files, packedRoot, name) {
  const folder = `${packedRoot}/node_modules/${name}`;
  files[`${folder}/package.json`] = JSON.stringify({ name, types: "index.d.ts" });
  files[`${folder}/index.d.ts`] = "declare const whole: any;\nexport = whole;\n";
}

/** Node's own modules; of those that a browser has a stand-in of, the names that they export. */
function builtins() {
  const offered = Object.keys(nodeStandIns());
  const names = builtinModules.filter((name) => !name.startsWith("_"));
  return Object.fromEntries(
    names.map((name) => [name, offered.includes(name) ? Object.keys(require(name)).sort() : []]),
  );
}

/** Modules of Node that magics need only when they run; the workers of types only ask for the form of a magic. */
const withoutNode = {
  name: "without-node",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path: module }) => ({ path: module, namespace: "nothing" }));
    build.onLoad({ filter: /./, namespace: "nothing" }, () => ({ contents: "module.exports = {};" }));
  },
};

const typescriptName = "turnwiseTypeScript";

/** TypeScript is a script of its own, which two workers load. */
const typescriptApart = {
  name: "typescript-apart",
  setup(build) {
    build.onResolve({ filter: /^typescript$/ }, () => ({ path: "typescript", namespace: "apart" }));
    build.onLoad({ filter: /./, namespace: "apart" }, () => ({
      contents: `module.exports = globalThis.${typescriptName};`,
    }));
  },
};

/** Files of the types of a page. */
const typeFiles = ["prepare.js", "typescript.js", "types.js", "compiler.js", "help.js", "declarations.json"];

/** Makes all files of the types in a folder, and tells their sizes. The kernel and the library must have been built. */
async function buildTypes(folder = parts, packages = []) {
  // Made elsewhere and moved, as several processes may make and read them at the same time.
  const making = path.join(folder, `types-${process.pid}`);
  fs.mkdirSync(making, { recursive: true });
  // In a process of its own: what a type service reads depends on what its process has read before.
  execFileSync(process.execPath, [__filename, "--pack", path.join(making, "declarations.json"), ...packages]);
  const worker = (name) => ({
    entry: `site/src/types/${name === "types" ? "main" : name}.ts`,
    outfile: path.join(making, `${name}.js`),
    format: "iife",
  });
  await bundle({
    entry: require.resolve("typescript"),
    outfile: path.join(making, "typescript.js"),
    format: "iife",
    globalName: typescriptName,
    plugins: [withoutNode],
  });
  await bundle({
    ...worker("types"),
    banner: { js: 'importScripts("typescript.js");' },
    plugins: [withoutNode, typescriptApart],
  });
  await bundle({ ...worker("compiler"), plugins: [withoutNode, typescriptApart] });
  for (const name of ["prepare", "help"])
    await bundle({ ...worker(name), plugins: [withoutNode, onlyParser] });
  for (const name of typeFiles) fs.renameSync(path.join(making, name), path.join(folder, name));
  fs.rmdirSync(making);
  return typeFiles.map((name) => {
    const content = fs.readFileSync(path.join(folder, name));
    return { name, bytes: content.length, gzip: zlib.gzipSync(content, { level: 9 }).length };
  });
}

module.exports = { buildTypes, typeFiles, withoutComments };

if (require.main === module && process.argv[2] === "--pack") {
  fs.writeFileSync(process.argv[3], JSON.stringify(pack(process.argv.slice(4))));
} else if (require.main === module) {
  buildTypes().then((sizes) => {
    for (const { name, bytes, gzip } of sizes)
      process.stdout.write(
        `${name.padEnd(18)} ${(bytes / 1e6).toFixed(2)} MB, ${(gzip / 1e6).toFixed(2)} MB gzip\n`,
      );
  });
}
