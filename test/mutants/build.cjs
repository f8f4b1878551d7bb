"use strict";

// Compiles the sources and tests of a mutation sandbox file by file. Mutated code need not type-check, so `tsc -b`
// would refuse it; every file is an isolated module, so each can be translated alone.
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");

const root = process.cwd();
const { compilerOptions } = ts.readConfigFile(path.join(root, ".tsconfig.base.json"), ts.sys.readFile).config;
const { options } = ts.convertCompilerOptionsFromJson(
  {
    ...compilerOptions,
    composite: false,
    declaration: false,
    declarationMap: false,
    inlineSourceMap: false,
    sourceMap: false,
  },
  root,
);

function translate(from, to) {
  for (const entry of fs.readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.d)\.ts$/.test(entry.name)) continue;
    const source = path.join(entry.parentPath, entry.name);
    const target = path.join(to, path.relative(from, source)).replace(/\.ts$/, ".js");
    const { outputText } = ts.transpileModule(fs.readFileSync(source, "utf8"), {
      fileName: source,
      compilerOptions: options,
    });
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, outputText);
  }
}

translate("lib/turnwise/src", "lib/turnwise/dist");
translate("test/lib", "build/test/lib");
translate("test/support", "build/test/support");

// Other packages are found in the repository's node_modules, above the sandbox; this one must be the mutated one.
fs.mkdirSync("node_modules", { recursive: true });
fs.symlinkSync(path.join("..", "lib"), path.join("node_modules", "turnwise"), "dir");
