import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { nearest } from "../base/suggest";
import { Complaint, type CommandContext, type CommandModule } from "./contract";
import { optionComplaint } from "./options";
import { declaredCommands, type DeclaredCommand } from "./packages";
import { printable } from "./printable";

/** Commands of packages that may be missing, so that the answer is which package to install. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  "turnwise-kernel": ["lab", "run", "pictures", "slides", "poll", "install", "uninstall", "doctor"],
  "turnwise-practice": ["watch", "convert", "diagnose", "serve"],
  "turnwise-course": ["new"],
};

/** Commands that had another name in the version before. */
const former: Readonly<Record<string, string>> = { flags: "convert" };

function currentCommand(given: string): string {
  const now = Object.hasOwn(former, given) ? former[given] : undefined;
  if (now !== undefined)
    process.stderr.write(
      `Note: turnwise ${given} is now turnwise ${now}; the former name goes with the next minor version.\n`,
    );
  return now ?? given;
}

/** Text that `turnwise --help` prints. */
export function help(root: string): string {
  const { commands } = declaredCommands(root);
  const width = Math.max(...[...commands.keys()].map((name) => name.length));
  const missing = Object.keys(elsewhere).filter(
    (name) => ![...commands.values()].some((one) => one.package === name),
  );
  return [
    "Usage: turnwise <command> [options]",
    "",
    ...[...commands].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${printable(summary)}`),
    "",
    ...missing.map((name) => `With npm install ${name}: ${elsewhere[name]!.join(", ")}`),
    "turnwise <command> --help lists the options of a command.",
    "",
  ].join("\n");
}

function commandOf(name: string, commands: ReadonlyMap<string, DeclaredCommand>): DeclaredCommand {
  const found = commands.get(name);
  if (found) return found;
  const owner = Object.keys(elsewhere).find((one) => elsewhere[one]!.includes(name));
  if (owner !== undefined) {
    throw new Complaint(
      `Cannot run turnwise ${name}: the package ${owner} must be installed.`,
      `To fix it: npm install ${owner}`,
    );
  }
  const meant = nearest(name, commands.keys());
  throw new Complaint(
    `Cannot run this command: it must be one of ${[...commands.keys()].join(", ")}, got ${name}.`,
    meant === undefined ? "See: turnwise --help" : `Did you mean: turnwise ${meant}`,
  );
}

/** Runs one command line and resolves to its exit code; errors are printed on stderr, never thrown. */
export async function main(
  argv: readonly string[],
  { root, argv: words }: Pick<CommandContext, "root" | "argv">,
): Promise<number> {
  const [given, ...args] = argv;
  // A folder or a file is a training run; without one, doctor examines what is installed.
  const wanted = given === "doctor" && args.some((arg) => !arg.startsWith("-")) ? "diagnose" : given;
  const name = wanted === undefined ? undefined : currentCommand(wanted);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help(root));
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    const manifest = fs.readFileSync(path.resolve(__dirname, "..", "..", "package.json"), "utf8");
    process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
    return 0;
  }
  const { commands, problems } = declaredCommands(root);
  for (const problem of problems) process.stderr.write(`${printable(problem)}\n`);
  try {
    const { file } = commandOf(name, commands);
    lendCompiler(root);
    const module = load(file, name);
    const ofRuns = commands.get("diagnose");
    // Its other half, which takes a run.
    if (given === "doctor" && ofRuns !== undefined && args.some((arg) => arg === "--help" || arg === "-h")) {
      await load(ofRuns.file, "diagnose").run(args, {
        command: given,
        program: "turnwise",
        root,
        argv: words,
      });
      process.stdout.write("\n");
    }
    return await module.run(args, { command: wanted ?? name, program: "turnwise", root, argv: words });
  } catch (error) {
    report(optionComplaint(error, name));
    return Number(process.exitCode ?? 0) || 1;
  }
}

/** The module of a command. A package of another person may hold anything. */
function load(file: string, name: string): CommandModule {
  const module = createRequire(__filename)(file) as Partial<CommandModule>;
  if (typeof module.run === "function") return module as CommandModule;
  throw new Complaint(`Cannot run turnwise ${name}: ${file} must export a function run(args, context).`);
}

/** Modules of TypeScript, such as the one of a plan or a world, are compiled by what the project or the kernel has. */
function lendCompiler(root: string): void {
  const typescript = (): unknown => {
    for (const from of [path.join(root, "package.json"), __filename]) {
      const near = createRequire(from);
      try {
        return near("typescript");
      } catch {
        // It may still be in the folder of the kernel.
      }
      try {
        return createRequire(near.resolve("turnwise-kernel"))("typescript");
      } catch {
        // There is no kernel near here.
      }
    }
    throw new Complaint(
      "Cannot load a module of TypeScript: the package typescript must be installed.",
      "To fix it: npm install typescript",
    );
  };
  Object.defineProperty(globalThis, Symbol.for("turnwise.typescript"), {
    value: typescript,
    configurable: true,
  });
}

/** Prints an error: a refusal as its sentences, a defect with its stack. */
function report(error: unknown): void {
  const { name, message, advice, stack } = error as Error & { advice?: string };
  if (name === "Complaint") process.stderr.write(`${message}\n${advice ? `${advice}\n` : ""}`);
  else if (["RangeError", "TypeError"].includes(name) && message.startsWith("Cannot "))
    process.stderr.write(`${printable(message)}\n`);
  else process.stderr.write(`${stack ?? String(error)}\n`);
}
