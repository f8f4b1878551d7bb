"use strict";
// TypeScript without comments and with short names: the type service's snapshot holds its text twice, as V8 keeps what it starts
// from, and compiles functions when they are called.

const fs = require("fs");
const path = require("path");
const { replaceFile } = require("./replace-file.cjs");

/** Writes the short text into kernel/dist, and does nothing where this version's is there or esbuild is not installed. */
function leanTypescript(root) {
  const whole = require.resolve("typescript", { paths: [path.join(root, "kernel")] });
  const folder = path.join(root, "kernel", "dist", "lean");
  const { version } = require(path.join(whole, "..", "..", "package.json"));
  const file = path.join(folder, "typescript-" + version + ".cjs");
  if (fs.existsSync(file)) return;
  let esbuild;
  try {
    esbuild = require("esbuild");
  } catch (_missing) {
    return;
  }
  const { code } = esbuild.transformSync(fs.readFileSync(whole, "utf8"), {
    minify: true,
    target: "node20",
    legalComments: "eof",
    logLevel: "error",
  });
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  replaceFile(file, code);
}

if (require.main === module) leanTypescript(path.join(__dirname, "..", ".."));

module.exports = { leanTypescript: leanTypescript };
