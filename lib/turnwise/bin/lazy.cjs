"use strict";
// Makes the compiled packages light to load: a module that re-exports a name loads the module behind it when the name is first
// used. TypeScript compiles
//   export { train } from "./train";
// into a `require` at the top, so that naming one function of `turnwise` would run every file of it, TensorFlow.js included.
// Only re-exports are changed. An import in a module's own code is loaded with it, as the language says.

const fs = require("node:fs");
const path = require("node:path");
const { replaceFile } = require("../../../kernel/bootstrap/replace-file.cjs");

// TypeScript declares with `var` what is only re-exported, and with `const` what a module's own code uses.
const reExported = /^var (\w+) = require\(("[^"\n]+")\);$/gm;

const getter =
  /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return (\w+)\.(\w+); \} \}\);$/gm;

/**
 * The JavaScript of a module, with its re-exports loaded at first use. Lines keep their numbers, as source maps count them.
 *
 * Node tells the names that `import { train } from "turnwise"` may take by reading the text: it takes them from the line
 * `exports.train = void 0`, and strikes out those whose `Object.defineProperty` it sees to do more than read a property.
 */
function lazy(code) {
  const sources = new Map();
  const top = code.replace(reExported, (_, name, source) => {
    sources.set(name, source);
    return `var ${name};`;
  });
  if (sources.size === 0) return code;
  const changed = top.replace(getter, (whole, exported, name, property) =>
    sources.has(name)
      ? `Reflect.defineProperty(exports, "${exported}", { enumerable: true, get: function () ` +
        `{ return (${name} ??= require(${sources.get(name)})).${property}; } });`
      : whole,
  );
  for (const name of sources.keys()) {
    if (!new RegExp(`\\b${name}\\.`).test(changed)) continue;
    throw new Error(
      `Cannot load ${sources.get(name)} at first use: only re-exports may use ${name}, in\n${code}.`,
    );
  }
  return changed;
}

/** Changes every module below a folder of compiled code that is not changed yet. */
function makeLazy(folder) {
  if (!fs.existsSync(folder)) return;
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".js")) continue;
    const file = path.join(folder, name);
    const code = fs.readFileSync(file, "utf8");
    const changed = lazy(code);
    if (changed !== code) replaceFile(file, changed);
  }
}

module.exports = { lazy, makeLazy };

if (require.main === module) {
  for (const name of ["turnwise", "practice", "course"]) {
    makeLazy(path.join(__dirname, "..", "..", name, "dist"));
  }
}
