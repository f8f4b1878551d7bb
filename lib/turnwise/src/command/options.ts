// kernel/src/cli/command.ts has the same parser, and says why there are two.
import { parseArgs } from "node:util";
import { currentArgs } from "../base/currentArgs";
import { nearest } from "../base/suggest";
import { Complaint, type CommandContext, type CommandModule } from "./contract";

interface Flag {
  type: "boolean";
  short?: string;
  /** Name in the version before, which is still read. */
  former?: string;
  help: string;
}

interface TextOption {
  type: "string";
  /** Placeholder of the value in the help, such as `<folder>`. */
  value: string;
  short?: string;
  /** Name in the version before, which is still read. */
  former?: string;
  default?: string;
  help: string;
}

interface TextsOption extends Omit<TextOption, "default"> {
  multiple: true;
}

/** The options of a command, by name. Every command also knows `--help`. */
export type Options = Readonly<Record<string, Flag | TextOption | TextsOption>>;

type Value<O> = O extends { type: "boolean" }
  ? boolean
  : O extends { multiple: true }
    ? string[]
    : O extends { default: string }
      ? string
      : string | undefined;

/** Values given for each option. */
export type Values<O extends Options> = { [N in keyof O]: Value<O[N]> };

interface Parsing<O extends Options> {
  /** Description, in sentences of at most 120 columns. */
  about: string;
  options: O;
  /** Placeholder of the other arguments in the help, such as `[paths...]`; without it there may be none. */
  positionals?: string;
  /** Resolves with the exit code. What it needs is imported here, so that `--help` answers immediately. */
  run(given: { values: Values<O>; positionals: string[] }, context: CommandContext): Promise<number>;
}

/** `run` of a command's module, from the options that it declares. */
export function command<const O extends Options>(o: Parsing<O>): CommandModule["run"] {
  return async (args, context) => {
    const name = context.command;
    const words = [`turnwise ${name}`, o.positionals, Object.keys(o.options).length > 0 && "[options]"];
    if (asksForHelp(args))
      return print(helpText(words.filter(Boolean).join(" "), o.about, optionLines(o.options)));
    return o.run(parse(name, args, o), context);
  };
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes("--help") || args.includes("-h");
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function helpText(usage: string, about: string, options: string[]): string {
  const paragraphs = [`Usage: ${usage}`, about, ...(options.length > 0 ? [options.join("\n")] : [])];
  return `${paragraphs.join("\n\n")}\n`;
}

function optionLines(options: Options): string[] {
  const lines = Object.entries(options).map(([name, option]): [string, string] => {
    const short = option.short === undefined ? "" : `-${option.short}, `;
    const value = option.type === "string" ? ` ${option.value}` : "";
    const end = "multiple" in option ? " (repeatable)" : "";
    return [`${short}--${name}${value}`, option.help + end];
  });
  const width = Math.max(...lines.map(([usage]) => usage.length));
  return lines.map(([usage, help]) => `  ${usage.padEnd(width)}  ${help}`);
}

function parse<O extends Options>(
  name: string,
  args: string[],
  o: Pick<Parsing<O>, "options" | "positionals">,
): { values: Values<O>; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(o.options).map(([key, option]) => [
      key,
      {
        type: option.type,
        ...(option.short !== undefined && { short: option.short }),
        ...(option.type === "boolean" && { default: false }),
        ...("multiple" in option && { multiple: true, default: [] }),
        ...("default" in option && option.default !== undefined && { default: option.default }),
      },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: currentArgs(args, formersOf(o.options)),
      options,
      allowPositionals: o.positionals !== undefined,
    });
    return { values: values as Values<O>, positionals };
  } catch (error) {
    throw optionComplaint(error, name, Object.keys(o.options));
  }
}

/** The options that had another name before, by that name. */
const formersOf = (options: Options): Record<string, string> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, { former }]) => (former === undefined ? [] : [[former, name]])),
  );

/** Turns an error of `parseArgs`, which is the user's mistake and not a defect, into a sentence. */
export function optionComplaint(error: unknown, name: string, known: readonly string[] = []): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.startsWith("ERR_PARSE_ARGS")) return error;
  const see = `See: turnwise ${name} --help`;
  const unknown = code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? /'(-[^']*)'/.exec(message)?.[1] : undefined;
  if (unknown === undefined) {
    return new Complaint(`Cannot run turnwise ${name}: ${message}`, see);
  }
  const meant = nearest(unknown.replace(/^-+/, ""), known);
  return new Complaint(
    `Cannot run turnwise ${name}: unknown option '${unknown}'.`,
    meant === undefined ? see : `Did you mean: --${meant}`,
  );
}
