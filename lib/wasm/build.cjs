"use strict";
// The text of lib/src/tensor/fused/binary.ts: lib/wasm compiled, as text so that no file must be found at run time.
const { readFileSync, mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { spawnSync } = require("node:child_process");

const folder = __dirname;

/** The module in base64; `features` are those beyond 128-bit SIMD. */
function compiled(features) {
  const out = mkdtempSync(join(tmpdir(), "turnwise-wasm-"));
  try {
    const args = [
      require.resolve("assemblyscript/bin/asc.js"),
      join(folder, "index.ts"),
      ...["--runtime", "stub", "--enable", "simd", "--enable", "bulk-memory", "-O3", "--noAssert"],
      // One memory for several threads; it is new, hence zero, so that the zeros of the source are no data.
      ...["--enable", "threads", "--importMemory", "--sharedMemory", "--zeroFilledMemory"],
      ...["--initialMemory", "4", "--maximumMemory", "65536"],
      ...features.flatMap((name) => ["--enable", name]),
      // v128 values pass between our own functions only.
      ...["--disableWarning", "112", "--outFile", join(out, "kernels.wasm")],
    ];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`Cannot compile lib/wasm: ${stderr}`);
    return readFileSync(join(out, "kernels.wasm")).toString("base64");
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The text of binary.ts, made anew from the source. */
function compile() {
  return [
    "/** lib/wasm, compiled: written by `npm run generated`, never by hand. */",
    `export const binary =\n  "${compiled([])}";`,
    "/** The same with products that are rounded once. */",
    `export const relaxedBinary =\n  "${compiled(["relaxed-simd"])}";\n`,
  ].join("\n");
}

module.exports = { compile };
