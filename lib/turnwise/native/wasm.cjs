"use strict";
// The text of lib/turnwise/src/tensor/fused/binary.ts: the kernels compiled to WebAssembly, as text so that no file must be found at
// run time. Clang comes with ziglang of PyPI; who does not change a kernel needs no compiler.
const { existsSync, mkdtempSync, readFileSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join, resolve } = require("node:path");
const { spawnSync } = require("node:child_process");
const flags = require("./flags.cjs");
const { digest } = require("./sources.cjs");

const root = resolve(__dirname, "..", "..", "..");
const output = join(root, "lib", "turnwise", "src", "tensor", "fused", "binary.ts");
const VERSION = "0.17.1";

const source = () => digest(flags);

/** The command of the compiler, or undefined where there is none. */
function compiler() {
  const python = join(root, ".turnwise", "zig", "bin", "python");
  const candidates = [
    ...(process.env.TURNWISE_ZIG ? [process.env.TURNWISE_ZIG.split(" ")] : []),
    ...(existsSync(python) ? [[python, "-m", "ziglang"]] : []),
    ["zig"],
  ];
  return candidates.find(([program, ...first]) => {
    const { status, stdout } = spawnSync(program, [...first, "version"], { encoding: "utf8" });
    return status === 0 && stdout.trim() === VERSION;
  });
}

function call([program, ...first], args) {
  const { status, stderr, error } = spawnSync(program, [...first, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot compile lib/native: ${error ?? stderr}`);
}

/** The module in base64, where products are rounded once (`fused`) or twice. */
function compiled(zig, fused) {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-wasm-"));
  const [object, module] = [join(folder, "kernels.o"), join(folder, "kernels.wasm")];
  const features = [...flags.wasm.features, ...(fused ? ["relaxed_simd"] : [])];
  try {
    call(zig, [
      ...["cc", ...flags.wasm.compile, ...flags.common, `-mcpu=generic+${features.join("+")}`],
      ...[`-DFUSED=${fused ? 1 : 0}`, join(__dirname, "kernels.c"), "-o", object],
    ]);
    call(zig, ["wasm-ld", ...flags.wasm.link, "-o", module, object]);
    return readFileSync(module).toString("base64");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the text was made from the present sources. */
const isCurrent = (text) => text.includes(`export const kernelSource = "${source()}";`);

/** The compiler, which must be there to compile for other machines than this one. */
function needsZig(purpose) {
  const zig = compiler();
  if (zig) return zig;
  throw new Error(
    `Cannot compile lib/turnwise/native ${purpose}: it takes ziglang ${VERSION}, which was not found: ` +
      `python3 -m venv .turnwise/zig && .turnwise/zig/bin/pip install ziglang==${VERSION}.`,
  );
}

/** The text of binary.ts: made again where the compiler is, else the present one if its sources are still the same. */
function compile() {
  if (!compiler()) {
    const text = existsSync(output) ? readFileSync(output, "utf8") : "";
    if (isCurrent(text)) return text;
  }
  const zig = needsZig("to WebAssembly");
  return [
    "/** Which state of lib/turnwise/native this is: written by `npm run generated`, never by hand. */",
    `export const kernelSource = "${source()}";`,
    "/** lib/turnwise/native, compiled to WebAssembly. */",
    `export const binary =\n  "${compiled(zig, false)}";`,
    "/** The same with products that are rounded once. */",
    `export const relaxedBinary =\n  "${compiled(zig, true)}";\n`,
  ].join("\n");
}

module.exports = { compile, compiler, isCurrent, needsZig };
