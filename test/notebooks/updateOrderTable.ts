import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";

/** A run of the study of update orders, as datasets/measured/update-order.csv stores it. */
export interface Row {
  readonly part: string;
  readonly arm: string;
  readonly scale: string;
  readonly beta: number;
  readonly seed: number;
  readonly success: number;
  readonly reward: number;
  readonly samples: number;
  readonly steps: number;
}

export function measuredRows(): Row[] {
  const file = path.join(root, "datasets", "measured", "update-order.csv");
  const lines = fs.readFileSync(file, "utf8").trim().split("\n").slice(1);
  return lines.map((line) => {
    const match = /^(\w+),[\w-]+,"(.+)",(\w+),([\d.]*),(\d+),([\d.]+),([\d.]+),(\d+),(\d+)$/.exec(line);
    if (!match) throw new Error(`Cannot read ${file}: a line must have ten cells, got ${line}.`);
    const [part, arm, scale, ...numbers] = match.slice(1) as [string, string, string, ...string[]];
    const [beta, seed, success, reward, samples, steps] = numbers.map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return { part, arm, scale, beta, seed, success, reward, samples, steps };
  });
}
