import fs from "node:fs";
import path from "node:path";
import { Complaint, report } from "../../bootstrap/steps.cjs";

export interface Context {
  /** The folder whose notebooks, .venv and .turnwise are used. */
  root: string;
}

interface Command {
  summary: string;
  /** Loaded only when called, so that `--help` answers at once. */
  run(args: string[], context: Context): Promise<number>;
}

const commands: Record<string, Command> = {
  lab: {
    summary: "open JupyterLab on this folder's notebooks; Lab's own flags pass through",
    run: async (args, { root }) => (await import("./lab.js")).lab(args, root),
  },
  run: {
    summary: "execute notebooks without JupyterLab and write them as notebook and HTML page",
    run: async (args, { root }) => (await import("./run.js")).run(args, root),
  },
  pictures: {
    summary: "store a picture beside each chart of notebooks, for viewers that run no scripts",
    run: async (args, { root }) => (await import("./pictures.js")).pictures(args, root),
  },
  sweep: {
    summary: "run a grid of settings and seeds, or write the job that runs it on Slurm or Kubernetes",
    run: async (args, { root }) => (await import("./sweep.js")).sweep(args, root),
  },
  merge: {
    summary: "join the results of the parts of a sweep; no job may be missing or there twice",
    run: async (args, { root }) => (await import("./sweep.js")).merge(args, root),
  },
  install: {
    summary: "register the kernel with Jupyter",
    run: async (args) => (await import("./install.js")).install(args),
  },
  uninstall: {
    summary: "remove the kernel from Jupyter",
    run: async (args) => (await import("./uninstall.js")).uninstall(args),
  },
  doctor: {
    summary: "tell what is installed, which tensor backend runs and why",
    run: async (args, { root }) => (await import("./doctor.js")).doctor(args, root),
  },
};

function version(): string {
  const file = path.resolve(__dirname, "..", "..", "package.json");
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { version: string }).version;
}

function help(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return [
    "Usage: turnwise <command> [options]",
    "",
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "turnwise <command> --help tells the options of a command.",
    "",
  ].join("\n");
}

/** Levenshtein distance: the number of single-letter edits between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}

function unknown(name: string): Complaint {
  const nearest = Object.keys(commands).sort((a, b) => distance(name, a) - distance(name, b))[0];
  const hint = distance(name, nearest) <= 3 ? `Did you mean: turnwise ${nearest}` : "See: turnwise --help";
  return new Complaint(
    `Cannot run this command as it must be one of ${Object.keys(commands).join(", ")}: ${name}`,
    hint,
  );
}

/** An option that a command does not know is a person's slip, not a defect. */
function asComplaint(error: unknown, command: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.startsWith("ERR_PARSE_ARGS")) return error;
  return new Complaint(
    `Cannot run turnwise ${command} as its options must be known: ${message}`,
    `See: turnwise ${command} --help`,
  );
}

/** Runs one command line and resolves to its exit code; problems are told on stderr, never thrown. */
export async function main(argv: string[], context: Context): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${version()}
`);
    return 0;
  }
  try {
    if (!Object.hasOwn(commands, name)) throw unknown(name);
    return await commands[name].run(args, context);
  } catch (error) {
    report(asComplaint(error, name));
    return Number(process.exitCode ?? 0) || 1;
  }
}
