// Measures datasets/measured/language-sampler.csv again: the arms of `samplerStudy`, in which a rounded sampler writes what a small
// language model learns from; about fifteen minutes on one core. Goes on where it was interrupted. Bits are those of the fused kernels
// without relaxed SIMD: run it with Node 20. Build first: npm run build
//   node datasets/measure-language-sampler.cjs
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const lib = require("turnwise-course/internal/10-language-model/samplerRun");
const { samplerStudy } = require("turnwise-course/internal/10-language-model/samplerStudy");
const { main, readArguments } = require("./measureParts.cjs");

const table = path.join(__dirname, "measured", "language-sampler.csv");
const { arms, seeds } = samplerStudy;
const asked = Object.values(arms);
// Seeds 0 to 9 raised the question; lesson 10 compares them with its other runs.
const SEEDS = [
  ...Array(10).keys(),
  ...Array.from({ length: seeds.to - seeds.from }, (_, i) => seeds.from + i),
];

async function script() {
  readArguments({ what: "part" });
  const stored = fs.existsSync(table) ? lib.storedSamplerRuns(fs.readFileSync(table, "utf8")) : [];
  const runs = [...stored];
  for (const setting of asked)
    for (const seed of SEEDS) {
      const isThis = (run) => run.bits === setting.bits && run.remedy === setting.remedy && run.seed === seed;
      if (runs.some(isThis)) continue;
      const run = await lib.samplerRun({ ...setting, seed });
      runs.push(run);
      fs.writeFileSync(table, lib.samplerRunsToCsv(runs));
      process.stdout.write(`${lib.samplerTitle(run)}, seed ${seed}: success ${run.final}\n`);
    }
}

void main(script);
