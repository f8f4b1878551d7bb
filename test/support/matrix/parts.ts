import { lines } from "../otherNodes.js";
import { tierOf } from "../tiers.js";

/** A part of the matrix: what runs by command and every week, because it takes too long to run before each change. */
export interface Part {
  readonly name: string;
  /** The promise, as test/MATRIX.md states it. */
  readonly what: string;
  /** Which files of the matrix tier it runs, by their path below test/. */
  readonly files?: RegExp;
  /** A line of Node that runs tests of all tiers. */
  readonly node?: string;
  /** A program that Node runs, and its arguments; it fails by its exit status. */
  readonly command?: readonly string[];
}

// All tests run on the oldest anyhow. The rows are the same on whichever line this runs.
const nodes = lines.slice(1).map((line): Part => ({
  name: `node-${line}`,
  what: `kernel, command line, runner and library on Node ${line}`,
  node: line,
}));

/** The first part whose pattern a file matches runs it. */
export const parts: readonly Part[] = [
  ...nodes,
  {
    name: "engines",
    what: "the same bits of every function and of twenty chaotic runs on each Node, Chromium and Firefox",
    files: /^engines\//,
  },
  {
    name: "firefox",
    what: "the site and the kernel in a page of Firefox",
    files: /^(site|browser)\/.*firefox/i,
  },
  {
    name: "lessons-chromium",
    what: "every notebook in the site in Chromium, each cell compared with Node",
    command: ["build/test/site/lessons.js"],
  },
  {
    name: "lessons-firefox",
    what: "every notebook in the site in Firefox, each cell compared with Node",
    command: ["build/test/site/lessons.js", "--firefox"],
  },
  {
    name: "front-ends",
    what: "the pages' views in cells of Notebook 7 and of VS Code's widget manager",
    files: /^browser\/(notebook7|vsCode)\./,
  },
  {
    name: "pages",
    what: "the long suites of JupyterLab and of the site in Chromium",
    files: /^(site|browser)\//,
  },
  {
    name: "notebooks",
    what: "every notebook whole on the newest Node; all grades",
    files: /^(notebooks|course)\//,
  },
  {
    name: "clients",
    what: "the clients that are written for trainers, in the trainers' own packages",
    files: /^protocol\/trainerClients\./,
  },
  {
    name: "wheel",
    what: "the wheel in an empty Python environment without Node on PATH: Jupyter, papermill, a lesson, removal",
    files: /^cli\/wheel\./,
  },
  {
    name: "kernel",
    what: "soak, kill and interrupt trials, repeated",
    files: /^(kernel|protocol|runner|cli)\//,
  },
  { name: "training-runs", what: "every rule on every world", files: /^lib\/(rule|train)\// },
  {
    name: "tables",
    what: "every stored table and golden computed again",
    files: /^lib\/(course|card|env|policy|exact|plot)\//,
  },
  {
    name: "webgpu",
    what: "loss and gradient of every rule on WebGPU, on a GPU that is a program",
    files: /^gpu\//,
  },
  { name: "benchmarks", what: "every benchmark in short, without peers", files: /^bench\// },
  {
    name: "native",
    what: "the tests of the compiled kernels in Node for arm64, under qemu",
    files: /^lib\/tensor\//,
  },
  {
    name: "mutants",
    what: "the known sabotages and 200 sampled mutants, killed by which tier",
    command: ["test/mutants/sample.mjs"],
  },
];

/** The part that runs a file of the matrix tier. */
export const partOf = (file: string): Part | undefined =>
  parts.find(({ files }) => files?.test(file.replace(/^build\/test\//, "")));

/** The files that a part runs, of all compiled tests. */
export const filesOf = (part: Part, all: readonly string[]): string[] =>
  all.filter((file) => tierOf(file) === "matrix" && partOf(file) === part);
