"use strict";
// Compiles the kernels for this processor, where a C compiler is: into lib/turnwise/native/built, under a name that tells the sources,
// the platform and the level of the processor.
const { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const { spawn } = require("node:child_process");
const flags = require("./flags.cjs");

/** Runs a program to its end; the code is undefined where it does not exist. */
function run(program, args) {
  return new Promise((done) => {
    let said = "";
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (text) => (said += text));
    child.stderr.on("data", (text) => (said += text));
    child.on("error", () => done({ code: undefined, said }));
    child.on("close", (code) => done({ code, said }));
  });
}

/** The compilers to try, the one that the user names first. */
const compilers = () => (process.env.CC ? [process.env.CC] : ["cc", "gcc", "clang"]);

/** Arguments that compile the addon. */
function argumentsFor(level, fused, out, more = []) {
  return [
    ...[...flags.common, ...flags.addon, ...flags.levels[level], ...more],
    ...(process.platform === "darwin" ? ["-undefined", "dynamic_lookup"] : []),
    ...[`-DFUSED=${fused ? 1 : 0}`, join(__dirname, "addon.c"), "-o", out],
  ];
}

/**
 * Compiles an addon to a file, of which other processes see nothing before it is whole. What is in the way is written beside
 * it, so that the attempt is made once.
 *
 * @returns one sentence on what went wrong, undefined if nothing did
 */
async function compile({ file, level, fused }) {
  const folder = dirname(file);
  const own = join(folder, `.${process.pid}-${basename(file)}`);
  let reason = "there is no C compiler (cc, gcc or clang)";
  try {
    mkdirSync(folder, { recursive: true });
    for (const compiler of compilers()) {
      const { code, said } = await run(compiler, argumentsFor(level, fused, own));
      if (code === 0) {
        renameSync(own, file);
        sweep(file);
        return undefined;
      }
      if (code !== undefined) {
        const line = said.split("\n").find((text) => /error/i.test(text));
        reason = `${compiler} could not compile them: ${line ?? `it ended with code ${code}`}`;
        writeFileSync(`${file}.txt`, `${reason}\n`);
      }
    }
  } catch (error) {
    reason = error.message;
  } finally {
    rmSync(own, { force: true });
  }
  // Where there is none, it costs nothing to look again.
  return `WebAssembly instead, as ${reason}`;
}

/** Removes what was compiled from other sources than the file that is wanted. */
function sweep(file) {
  const [source] = basename(file).split("-");
  for (const name of readdirSync(dirname(file))) {
    if (/\.node(\.txt)?$/.test(name) && !name.startsWith(".") && !name.startsWith(source)) {
      rmSync(join(dirname(file), name), { force: true });
    }
  }
}

/**
 * Whether an addon is to be compiled: it is not there, and nothing has told that it cannot be.
 *
 * @param wanted the result of `wantedHere` of the library, undefined where nothing can be compiled
 */
const missing = (wanted) => !!wanted && !existsSync(wanted.file) && !existsSync(`${wanted.file}.txt`);

module.exports = { argumentsFor, compile, missing };
