// Measures datasets/measured/off-policy-grains.csv again, in ten seconds. Build first: npm run build
//   node datasets/measure-off-policy.cjs
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { compareGrains } = require("turnwise-course/off-policy-stability");
const { main, readArguments, round } = require("./measureParts.cjs");

const SEEDS = 20;

async function script() {
  readArguments({ what: "name" });
  const lines = ["optimiser,ratio,seed,reward"];
  for (const [name, rewards] of await compareGrains({ seeds: SEEDS }))
    lines.push(...rewards.map((reward, seed) => [...name.split(", "), seed, round(reward)].join(",")));
  fs.writeFileSync(path.join(__dirname, "measured", "off-policy-grains.csv"), lines.join("\n") + "\n");
}

void main(script);
