// Measures datasets/measured/language-model.csv again: small language models that imitate and are then trained, ten seeds
// of 20 cells and forty of one; about fifteen minutes on one core. Goes on where it was interrupted. Bits are those of the
// fused kernels without relaxed SIMD: run it with Node 20. Build first: npm run build
//   node datasets/measure-language-model.cjs [planted|search|bits|reuse ...] [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { followInTerminal } = require("turnwise/plot");
const {
  languageParts,
  languageRows,
  languageSweep,
} = require("turnwise-course/internal/10-language-model/grid");
const {
  languageRunsToCsv,
  storedLanguageRuns,
} = require("turnwise-course/internal/shared/languageRuns/stored");
const { main, readArguments } = require("./measureParts.cjs");

const table = path.join(__dirname, "measured", "language-model.csv");
const logs = path.join(__dirname, "..", "build");

const keyOf = ({ world, skill, rule, reuse, bits, seed }) =>
  [world, skill, rule, reuse, bits, seed].join(" ");

async function script() {
  const { names, workers = 2 } = readArguments({
    what: "part",
    names: Object.keys(languageParts),
    options: ["workers"],
  });
  const stored = fs.existsSync(table) ? storedLanguageRuns(fs.readFileSync(table, "utf8")) : [];
  const runs = new Map(stored.map((run) => [keyOf(run), run]));
  for (const part of names) {
    const file = path.join(logs, `language-model-${part}.jsonl`);
    const { results } = await followInTerminal(languageSweep(part, { file, workers }));
    for (const run of languageRows(part, results)) runs.set(keyOf(run), run);
    fs.writeFileSync(table, languageRunsToCsv([...runs.values()]));
  }
}

void main(script);
