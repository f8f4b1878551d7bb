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

/** Commands of `turnwise` by the package that brings them, so that the answer is which package to install. */
type Elsewhere = Readonly<Record<string, readonly string[]>>;

/** Text that `turnwise-kernel --help` prints, and `turnwise --help` where the kernel is alone. */
export function help(program = ownProgram, elsewhere: Elsewhere = {}): string {
  const declared = Object.entries(manifest().jupyterKernel.commands);
  const width = Math.max(...declared.map(([name]) => name.length));
  return [
    `Usage: ${program} <command> [options]`,
    "",
    ...declared.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    ...Object.entries(elsewhere).map(([name, names]) => `With npm install ${name}: ${names.join(", ")}`),
    `${program} <command> --help lists the options of a command.`,
    "",
  ].join("\n");
}

function commandOf(name: string, program: string, elsewhere: Elsewhere): Command {
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands];
  const owner = Object.keys(elsewhere).find((one) => elsewhere[one]!.includes(name));
  if (owner !== undefined) {
    throw new Complaint(
      `Cannot run ${program} ${name}: the package ${owner} must be installed.`,
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
  { command, program, root, elsewhere = {} }: Context & { command: string; elsewhere?: Elsewhere },
): Promise<number> {
  return await commandOf(command, program, elsewhere).run(command, args, { root, program });
}

interface MainContext extends Pick<Context, "root"> {
  /** The program that the user ran, for messages. */
  program?: string;
  elsewhere?: Elsewhere;
}

/** Runs one command line and resolves to its exit code; errors are printed on stderr, never thrown. */
export async function main(
  argv: string[],
  { root, program = ownProgram, elsewhere = {} }: MainContext,
): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help(program, elsewhere));
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${manifest().version}\n`);
    return 0;
  }
  try {
    return await run(args, { command: name, program, root, elsewhere });
  } catch (error) {
    report(optionComplaint(error, `${program} ${name}`));
    return Number(process.exitCode ?? 0) || 1;
  }
}
