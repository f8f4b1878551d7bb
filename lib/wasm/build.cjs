"use strict";
// Compiles lib/wasm to lib/src/tensor/fused/binary.ts: as text, so that no file must be found at run time.
const { readFileSync, writeFileSync, mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { spawnSync } = require("node:child_process");

const folder = __dirname;
const target = join(folder, "..", "src", "tensor", "fused", "binary.ts");

/** The text of binary.ts, made anew from the source. */
function compile() {
  const out = mkdtempSync(join(tmpdir(), "turnwise-wasm-"));
  try {
    const args = [
      require.resolve("assemblyscript/bin/asc.js"),
      join(folder, "index.ts"),
      ...["--runtime", "stub", "--enable", "simd", "--enable", "bulk-memory", "-O3", "--noAssert"],
      // v128 values pass between our own functions only.
      ...["--disableWarning", "112", "--outFile", join(out, "kernels.wasm")],
    ];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`Cannot compile lib/wasm: ${stderr}`);
    const text = readFileSync(join(out, "kernels.wasm")).toString("base64");
    return `/** lib/wasm, compiled: written by \`npm run build:wasm\`, never by hand. */\nexport const binary =\n  "${text}";\n`;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

module.exports = { compile, target };

if (require.main === module) {
  writeFileSync(target, compile());
  console.log(`${target} written`);
}
