"use strict";
// How the C sources are compiled, for every target.

/** Products and sums are rounded where the text says so, or no two targets would agree. */
const common = ["-std=gnu11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"];

const wasm = {
  compile: ["-target", "wasm32-freestanding", "-g0", "-c"],
  features: ["simd128", "bulk_memory", "atomics", "mutable_globals", "nontrapping_fptoint"],
  link: [
    ...[
      "--no-entry",
      "--import-memory",
      "--shared-memory",
      "--initial-memory=524288",
      "--max-memory=4294967296",
    ],
    // The stack comes first, so that what outgrows it meets the end of the memory and no data; each thread has its own.
    ...["-z", "stack-size=262144", "--stack-first", "--export=__stack_pointer", "--export=__heap_base"],
    ...["--strip-all", "--gc-sections"],
  ],
};

const addon = ["-shared", "-fPIC", "-fvisibility=hidden", "-pthread", "-D_GNU_SOURCE"];

/** By the level of the processor, as `lib/turnwise/src/tensor/fused/native/processor.ts` names it. */
const levels = {
  "x86-64-v4": ["-march=x86-64-v4", "-mprefer-vector-width=512"],
  "x86-64-v3": ["-march=x86-64-v3"],
  "x86-64": ["-march=x86-64"],
  arm64: [],
};

module.exports = { common, wasm, addon, levels };
