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

const program = "turnwise-kernel";

/** Text that `turnwise-kernel --help` prints. */
export function help(): string {
  const declared = Object.entries(manifest().jupyterKernel.commands);
  const width = Math.max(...declared.map(([name]) => name.length));
  return [
    `Usage: ${program} <command> [options]`,
    "",
    ...declared.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    `${program} <command> --help lists the options of a command.`,
    "",
  ].join("\n");
}

function commandOf(name: string): Command {
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands];
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
  return await commandOf(command).run(command, args, { root, program });
}

/** Runs one command line and resolves to its exit code; errors are printed on stderr, never thrown. */
export async function main(argv: string[], { root }: Pick<Context, "root">): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help());
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
