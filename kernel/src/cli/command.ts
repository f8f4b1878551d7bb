// The parser of a command's options, which lib/turnwise/src/command/options.ts duplicates: either package is installed without the
// other, so neither can import it, and kernel/bootstrap is published with the kernel. test/cli/optionParsers.test.ts compares the two.
import { parseArgs } from "node:util";
import { Complaint } from "../../bootstrap/steps.cjs";
import { suggest } from "../help/suggest.js";

/** Context that a command gets in addition to its command line. */
export interface Context {
  /** The folder whose notebooks, .venv and .turnwise are used. */
  root: string;
  /** The program that the user ran: `turnwise`, or `turnwise-kernel` where that is not installed. */
  program: string;
}

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
  run(given: { values: Values<O>; positionals: string[] }, context: Context): Promise<number>;
}

interface Forwarding {
  /** Placeholder of the arguments, their purpose and meaning; without it, `--help` is forwarded too. */
  help?: { usage: string; about: string };
  /** Gets the arguments as they were typed, for another program's or package's parser. */
  run(args: string[], context: Context): Promise<number>;
}

/** One command. */
export interface Command {
  /** Runs it under the name that it has in the table. */
  run(name: string, args: string[], context: Context): Promise<number>;
}

/** A command with options of its own. */
export function command<const O extends Options>(o: Parsing<O>): Command {
  const help = (name: string, program: string): string => {
    const words = [`${program} ${name}`, o.positionals, Object.keys(o.options).length > 0 && "[options]"];
    return helpText(words.filter(Boolean).join(" "), o.about, optionLines(o.options));
  };
  return {
    run: async (name, args, context) => {
      if (asksForHelp(args)) return print(help(name, context.program));
      return o.run(parse(name, args, o, context.program), context);
    },
  };
}

/** A command whose arguments another program or package reads. */
export function forwarding({ help, run }: Forwarding): Command {
  return {
    run: async (name, args, context) => {
      if (help && asksForHelp(args))
        return print(helpText(`${context.program} ${name} ${help.usage}`, help.about, []));
      return run(args, context);
    },
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
  program: string,
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
      args: withCurrentNames(args, o.options),
      options,
      allowPositionals: o.positionals !== undefined,
    });
    return { values: values as Values<O>, positionals };
  } catch (error) {
    throw optionComplaint(error, `${program} ${name}`, Object.keys(o.options));
  }
}

/** Arguments under today's names; a former name is read for one minor version, and says what it is called now. */
function withCurrentNames(args: readonly string[], options: Options): string[] {
  const names = new Map(
    Object.entries(options).flatMap(([name, { former }]) =>
      former === undefined ? [] : [[former, name] as const],
    ),
  );
  const end = args.indexOf("--");
  return args.map((arg, i) => {
    const [, former, rest = ""] = /^--([\w-]+)(=[^]*)?$/.exec(arg) ?? [];
    const name = former === undefined || (end >= 0 && i > end) ? undefined : names.get(former);
    if (name === undefined) return arg;
    process.stderr.write(
      `Note: --${former!} is now --${name}; the former name goes with the next minor version.\n`,
    );
    return `--${name}${rest}`;
  });
}

/** Turns an error of `parseArgs`, which is the user's mistake and not a defect, into a sentence. */
export function optionComplaint(error: unknown, command: string, known: readonly string[] = []): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.startsWith("ERR_PARSE_ARGS")) return error;
  const see = `See: ${command} --help`;
  const unknown = code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? /'(-[^']*)'/.exec(message)?.[1] : undefined;
  if (unknown === undefined) {
    return new Complaint(`Cannot run ${command}: ${message}`, see);
  }
  const [meant] = suggest(unknown.replace(/^-+/, ""), known);
  return new Complaint(
    `Cannot run ${command}: unknown option '${unknown}'.`,
    meant === undefined ? see : `Did you mean: --${meant}`,
  );
}
