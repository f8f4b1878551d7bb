// How often a simulated run that holds is called fallen, and how often a fall is found: the figures of docs/README.md.
//
//   npm run build && node test/fallRates.mjs [runs of each kind, 100]
//
// A run has 150 steps. It is flat at .6 or rises from .1 to .6 in 70 steps; a falling one rises, and from a random step between 91 and
// 131 on loses half of that within 5 or 20 steps. Its noise is normal, with a standard deviation of .05 or .1, and its neighbors have the
// correlation that stands before a line. "unclear" are those of which turnwise says that it cannot tell.
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const { createRng } = require("../lib/dist/index.js");
const { judgeSuccess } = require("../lib/dist/monitor/judgeSuccess.js");

const runs = Number(process.argv[2] ?? 100);
const kinds = { flat: 0, rising: 0, "falling in 5": 5, "falling in 20": 20 };

function series(rng, kind, r, size) {
  const from = 90 + rng.below(41);
  let noise = size * rng.normal();
  return Array.from({ length: 150 }, (_, i) => {
    const level = kind === "flat" ? 0.6 : 0.1 + 0.5 * Math.min(1, i / 70);
    const lost = kinds[kind] > 0 ? 0.5 * Math.min(1, Math.max(0, (i - from + 1) / kinds[kind])) : 0;
    const value = level * (1 - lost) + noise;
    noise = r * noise + size * Math.sqrt(1 - r * r) * rng.normal();
    return Math.min(1, Math.max(0, value));
  });
}

for (const size of [0.05, 0.1]) {
  for (const r of [0, 0.5, 0.8]) {
    const told = Object.keys(kinds).map((kind) => {
      const counts = { fell: 0, held: 0, unknown: 0 };
      for (let seed = 0; seed < runs; seed++) {
        counts[judgeSuccess(series(createRng(seed).split(kind, 100 * r), kind, r, size)).kind] += 1;
      }
      return `${kind}: ${counts.fell} fell, ${counts.unknown} unclear`;
    });
    console.log(`correlation ${r}, deviation ${size}, of ${runs} runs each: ${told.join("; ")}`);
  }
}
