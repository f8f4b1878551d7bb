import fs from "node:fs";
import path from "node:path";
import { Complaint, report } from "../../bootstrap/steps.cjs";
import { suggest } from "../help/suggest.js";
import { optionComplaint, type Command, type Context } from "./command.js";
import { commands } from "./commands.js";

interface OwnManifest {
  version: string;
  jupyterKernel: { commands: Record<string, { summary: string }> };
}

/** The summaries are in package.json, where `turnwise` reads them too. */
function manifest(): OwnManifest {
  const file = path.resolve(__dirname, "..", "..", "package.json");
  return JSON.parse(fs.readFileSync(file, "utf8")) as OwnManifest;
}

const ownProgram = "turnwise-kernel";

/** Commands of `turnwise` that other packages bring, so that the answer is which package to install. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  turnwise: ["sweep", "merge", "native"],
  "turnwise-practice": ["watch", "flags", "diagnose", "serve"],
  "turnwise-course": ["new"],
};

/** Text that `turnwise-kernel --help` prints, and `turnwise --help` where the kernel is alone. */
export function help(program = ownProgram): string {
  const declared = Object.entries(manifest().jupyterKernel.commands);
  const width = Math.max(...declared.map(([name]) => name.length));
  return [
    `Usage: ${program} <command> [options]`,
    "",
    ...declared.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    ...Object.entries(program === ownProgram ? {} : elsewhere).map(
      ([name, names]) => `With npm install ${name}: ${names.join(", ")}`,
    ),
    `${program} <command> --help lists the options of a command.`,
    "",
  ].join("\n");
}

function commandOf(name: string, program: string): Command {
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands];
  const owner = Object.keys(elsewhere).find((one) => elsewhere[one]!.includes(name));
  if (owner !== undefined) {
    throw new Complaint(
      `Cannot run turnwise ${name}: the package ${owner} must be installed.`,
      `To fix it: npm install ${owner}`,
    );
  }
  const [meant] = suggest(name, Object.keys(commands));
  throw new Complaint(
    `Cannot run this command: it must be one of ${Object.keys(commands).join(", ")}, got ${name}.`,
    meant === undefined ? `See: ${program} --help` : `Did you mean: ${program} ${meant}`,
  );
}

/** Runs a command for the program that found it in package.json, in `jupyterKernel.commands`. */
export async function run(
  args: string[],
  { command, program, root }: { command: string; program: string; root: string },
): Promise<number> {
  return await commandOf(command, program).run(command, args, { root, program });
}

/** Runs one command line and resolves to its exit code; errors are printed on stderr, never thrown. */
export async function main(
  argv: string[],
  { root, program = ownProgram }: Pick<Context, "root"> & Partial<Context>,
): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help(program));
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${manifest().version}\n`);
    return 0;
  }
  try {
    return await run(args, { command: name, program, root });
  } catch (error) {
    report(optionComplaint(error, `${program} ${name}`));
    return Number(process.exitCode ?? 0) || 1;
  }
}
