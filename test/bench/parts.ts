import { spawnSync } from "node:child_process";
import type { Figure } from "./record.js";
import { updateTable } from "./updateTable.js";

/** One benchmark of the page. */
export interface Part {
  readonly title: string;
  readonly file: string;
  readonly args: readonly string[];
  /** A second run with other arguments. */
  readonly more?: readonly string[];
  /** A short form, to see whether all runs. */
  readonly quick: readonly string[];
  /** Which contenders are ours; the others are what a commit of ours cannot change. */
  readonly ours: RegExp;
  /** Whether it knows `--no-peers`. */
  readonly peers: boolean;
  /** For its process. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the page shows in place of what the part prints, where only tables are asked for. */
  readonly table?: (figures: readonly Figure[]) => string;
}

/** torch.compile writes C++. */
const hasCompiler = (): boolean => spawnSync("c++", ["--version"]).status === 0;

export const parts = {
  update: {
    title: "One full update: forward, loss, backward, Adam",
    file: "update/main.js",
    args: [
      ...["--rounds", "3", "--milliseconds", "200", "--skip", "float64"],
      ...["--others", "fused 2T,WASM 1T,Node 24 1T,Node 24 2T", ...(hasCompiler() ? ["--compiled"] : [])],
    ],
    quick: ["--rounds", "2", "--milliseconds", "50", "--samples", "64,512", "--skip", "float64"],
    ours: /^(fused|float64|TensorFlow|WASM|Node)/,
    peers: true,
    env: { TURNWISE_THREADS: "1" },
    table: updateTable,
  },
  rollout: {
    title: "Tokens drawn",
    file: "rollout/main.js",
    args: ["--rounds", "3", "--milliseconds", "200"],
    quick: ["--rounds", "1", "--milliseconds", "50", "--batches", "16"],
    ours: /^fused/,
    peers: true,
  },
  tabular: {
    title: "An update of a table of 64 states x 8 actions on 2048 samples",
    file: "tabular/main.js",
    args: ["--rounds", "15"],
    quick: ["--rounds", "3"],
    ours: /^turnwise/,
    peers: true,
  },
  endToEnd: {
    title: "Seconds to 95 % of the optimum",
    file: "endToEnd/main.js",
    args: ["--seeds", "7"],
    quick: ["--seeds", "2", "--worlds", "MatrixChain-v0"],
    ours: /^turnwise/,
    peers: true,
  },
  kernel: {
    title: "The kernel",
    file: "kernel/main.js",
    args: ["3", "300"],
    quick: ["1", "20"],
    ours: /^turnwise/,
    peers: true,
  },
  sweep: {
    title: "A sweep on two cores",
    file: "sweep.js",
    args: ["--rounds", "3"],
    more: ["--rounds", "2", "--again"],
    quick: ["--rounds", "1", "--jobs", "4", "--updates", "60"],
    ours: /./,
    peers: false,
  },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof parts;
export const partNames = Object.keys(parts) as PartName[];
