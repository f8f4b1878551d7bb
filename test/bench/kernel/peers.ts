import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { LongWork } from "../../kernel/soak/run.js";
import { root } from "../../support/paths.js";
import { denoProgram } from "../peers/deno.js";
import { pythonWith } from "../peers/peer.js";

/** A kernel to measure, with the cells that do the same work in its language. */
export interface Peer {
  name: string;
  version: string;
  /** Undefined: this package's own kernel. */
  argv?: string[];
  /** The first cell: a declaration with a type and a value to show. */
  first: string;
  lines: string;
  bigDisplay: string;
  /** A variable with a member that completes. */
  setup: string;
  member: string;
  cell(i: number): string;
  loop: string;
  /** A long notebook; undefined where cells like these do not end. */
  long?: LongWork;
}

const typescript = {
  first: "const first: number[] = [1, 2]; first.length",
  lines: "for (let i = 0; i < 10000; i++) console.log('line', i)",
  setup: "const agent = { policy: 1, step() { return 2 } }",
  member: "agent.po",
  cell: (i: number): string => `const x${i} = { a: ${i}, b: 'text' }; x${i}.a + 1`,
  loop: "for (let i = 0, x = 0; ; i++) x = Math.sin(x + i)",
};

/** This package's own kernel and, with `others`, all others that are found on this machine. */
export function peers(others: boolean): Peer[] {
  const own: Peer = {
    name: "turnwise",
    version: version(join(root, "kernel", "package.json")),
    ...typescript,
    bigDisplay: "display(png('x'.repeat(5_000_000)))",
  };
  if (!others) return [own];
  const found: Peer[] = [
    own,
    {
      name: "tslab",
      version: version(require.resolve("tslab/package.json")),
      argv: [
        process.execPath,
        join(require.resolve("tslab/package.json"), "../bin/tslab"),
        "kernel",
        "--config-path={connection_file}",
      ],
      ...typescript,
      bigDisplay: "import { display as show } from 'tslab'; show.png(Buffer.alloc(3_750_000))",
    },
  ];
  const python = pythonWith("ipykernel");
  if (python !== undefined) {
    found.push({
      name: "ipykernel",
      version: execFileSync(python, ["-c", "import ipykernel; print(ipykernel.__version__)"])
        .toString()
        .trim(),
      argv: [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
      first: "first: list[int] = [1, 2]; len(first)",
      lines: "for i in range(10000): print('line', i)",
      bigDisplay: "from IPython.display import publish_display_data as p; p({'image/png': 'x' * 5_000_000})",
      setup: "class A:\n  policy = 1\nagent = A()",
      member: "agent.po",
      cell: (i) => `x${i} = {'a': ${i}, 'b': 'text'}; x${i}['a'] + 1`,
      long: {
        setup: "from IPython.display import display, Markdown\ntotal = 0",
        cell: (i) =>
          `row${i} = {'step': ${i}, 'loss': 1 / (${i} + 1)}\nt${i} = sum([1] * 64)\nprint('step', row${i}['step'])\n` +
          `display(Markdown(f"loss {row${i}['loss']}"))\ntotal += t${i}; total`,
      },
      loop: "import math\nx = i = 0\nwhile True:\n  x = math.sin(x + i); i += 1",
    });
  }
  const deno = denoProgram();
  if (deno !== undefined) {
    found.push({
      name: "Deno",
      version: execFileSync(deno, ["--version"]).toString().split(" ")[1]!,
      argv: [deno, "jupyter", "--kernel", "--conn", "{connection_file}"],
      ...typescript,
      long: {
        setup: "let total = 0",
        cell: (i) =>
          `const row${i} = { step: ${i}, loss: 1 / (${i} + 1) }\nconst t${i} = new Array(64).fill(1).reduce((a, b) => a + b, 0)\n` +
          `console.log('step', row${i}.step)\nawait Deno.jupyter.display(Deno.jupyter.md\`loss \${row${i}.loss}\`)\ntotal += t${i}; total`,
      },
      bigDisplay: "Deno.jupyter.display({ 'image/png': 'x'.repeat(5_000_000) }, { raw: true })",
    });
  }
  return found;
}

function version(packageJson: string): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return (require(packageJson) as { version: string }).version;
}
