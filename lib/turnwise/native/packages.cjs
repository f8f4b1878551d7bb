"use strict";
// The compiled kernels as optional packages, one for each platform: npm installs the one whose os and cpu are those of the
// machine, and the library finds it by its name. They are made by clang, which ziglang of PyPI brings, on any machine.
const { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { spawn } = require("node:child_process");
const flags = require("./flags.cjs");
const { digest } = require("./sources.cjs");
const { needsZig } = require("./wasm.cjs");

/** By their names, which `lib/turnwise/src/tensor/fused/native/packaged.ts` makes from the platform. */
const packages = {
  "turnwise-native-linux-x64": {
    ...{ os: "linux", cpu: "x64", libc: "glibc", target: "x86_64-linux-gnu.2.28" },
    levels: ["x86-64-v4", "x86-64-v3", "x86-64"],
  },
  "turnwise-native-linux-arm64": {
    ...{ os: "linux", cpu: "arm64", libc: "glibc", target: "aarch64-linux-gnu.2.28" },
    levels: ["arm64"],
  },
  "turnwise-native-darwin-arm64": { os: "darwin", cpu: "arm64", target: "aarch64-macos", levels: ["arm64"] },
};

/** Clang within zig spells the levels of a processor with low lines. */
const forZig = (flag) =>
  flag.startsWith("-march=") ? flag.replaceAll("-", "_").replace("_march", "-march") : flag;

/** The addons of a package: for each level, products that are rounded twice or once; the lowest cannot round once. */
const addonsOf = ({ os, levels }) =>
  levels.flatMap((level) =>
    (level === "x86-64" ? [false] : [false, true]).map((fused) => ({
      ...{ level, fused },
      file: `${digest(flags)}-${os}-${level}-${fused ? "once" : "twice"}.node`,
    })),
  );

/** Runs the compiler to its end. */
function call([program, ...first], args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (text) => (said += text));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`Cannot compile lib/native: ${said.slice(0, 2000)}`)),
    );
  });
}

/** Arguments that compile C for a platform. */
const argumentsFor = (target, level, fused) => [
  ...["cc", "-target", target, "-g0", "-s"],
  ...[...flags.common, ...flags.levels[level]].map(forZig),
  `-DFUSED=${fused ? 1 : 0}`,
];

/**
 * Makes the packages in a folder, each in a folder of its name.
 *
 * @param names all, unless some are named
 * @returns what each became: its folder and its size in bytes
 * @throws {Error} if there is no ziglang, or if what the library knows of the sources is not their present state
 */
async function prebuild(out, names = Object.keys(packages)) {
  const zig = needsZig("for other platforms");
  const library = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8"));
  const made = [];
  for (const name of names) {
    const { os, cpu, libc, target, levels } = packages[name];
    const folder = join(out, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    let bytes = 0;
    for (const { file, level, fused } of addonsOf({ os, levels })) {
      await call(zig, [
        ...[...argumentsFor(target, level, fused), ...flags.addon],
        ...(os === "darwin" ? ["-undefined", "dynamic_lookup"] : []),
        ...[join(__dirname, "addon.c"), "-o", join(folder, file)],
      ]);
      bytes += statSync(join(folder, file)).size;
    }
    const about = {
      ...{ name, version: library.version, license: library.license },
      description: `Compiled kernels of turnwise for ${os} on ${cpu}; without them, it compiles its own or runs on WebAssembly`,
      ...{ os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) },
      files: ["*.node"],
      turnwise: { source: digest(flags) },
    };
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(about, undefined, 2)}\n`);
    made.push({ name, folder, bytes });
  }
  return made;
}

module.exports = { argumentsFor, packages, prebuild };
