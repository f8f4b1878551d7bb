import fs from "node:fs";
import path from "node:path";
import { Complaint, report } from "../../bootstrap/steps.cjs";
import { suggest } from "../help/suggest.js";
import { optionComplaint, type Command, type Context } from "./command.js";
import { commands } from "./commands.js";

function version(): string {
  const file = path.resolve(__dirname, "..", "..", "package.json");
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { version: string }).version;
}

/** What `turnwise --help` prints. */
export function help(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return [
    "Usage: turnwise <command> [options]",
    "",
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "turnwise <command> --help lists the options of a command.",
    "",
  ].join("\n");
}

function commandOf(name: string): Command {
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands];
  const [meant] = suggest(name, Object.keys(commands));
  throw new Complaint(
    `Cannot run this command as it must be one of ${Object.keys(commands).join(", ")}: current value is ${name}`,
    meant === undefined ? "See: turnwise --help" : `Did you mean: turnwise ${meant}`,
  );
}

/** Runs one command line and resolves to its exit code; errors are printed on stderr, never thrown. */
export async function main(argv: string[], context: Context): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  try {
    return await commandOf(name).run(name, args, context);
  } catch (error) {
    report(optionComplaint(error, name));
    return Number(process.exitCode ?? 0) || 1;
  }
}
