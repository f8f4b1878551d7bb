import fs from "node:fs";
import { Complaint } from "turnwise/internal/command/contract";
import { command } from "turnwise/internal/command/options";
import { printable } from "turnwise/internal/command/printable";
import { nearest } from "turnwise/internal/base/suggest";
import type { ReadConfig } from "../configs/contract";

/** The trainers that flags are written for, by their names here, and what writes them. */
const writers = { trl: "toTrl", verl: "toVerl", openrlhf: "toOpenRlhf" } as const;
/** The trainers whose configurations are read. */
const readable = [...Object.keys(writers), "skyrl", "prime-rl"];

const see = "See: turnwise convert --help";

function expectTrainer(option: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const meant = nearest(name, known);
  throw new Complaint(
    `Cannot convert: --${option} must be one of ${known.join(", ")}, got ${name}.`,
    meant === undefined ? see : `Did you mean: --${option} ${meant}`,
  );
}

function textOf(file: string): string {
  try {
    return decoded(fs.readFileSync(file));
  } catch (error) {
    const folder = (error as NodeJS.ErrnoException).code === "EISDIR";
    throw new Complaint(
      folder
        ? `Cannot read a configuration: it must be a file, but ${file} is a folder.`
        : `Cannot read the configuration: no such file: ${file}`,
      see,
    );
  }
}

/** Text in UTF-8, or in UTF-16 with a byte order mark, as PowerShell writes it. */
function decoded(bytes: Buffer): string {
  const order = bytes.subarray(0, 2).toString("hex");
  const encoding = order === "fffe" ? "utf-16le" : order === "feff" ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

export const run = command({
  about: `Writes a rule as a trainer's flags; comments above them list the fields that the trainer cannot express, and what
it computes instead. With --from, reads a configuration, and prints the closest rule and the settings that are not part
of a rule. The configuration may be JSON, YAML, TOML, a launch script or the arguments of a GRPOConfig. The trainer
(TRL, verl, OpenRLHF, SkyRL, prime-rl or another) is recognized by its setting names. With --from and --to, translates
one trainer's configuration into another's flags. Exits with 1 if no trainer is recognized.`,
  positionals: "[rule]",
  options: {
    to: {
      type: "string",
      former: "for",
      value: "<trainer>",
      help: "trainer whose flags to write: trl, verl or openrlhf (default: trl)",
    },
    from: {
      type: "string",
      former: "read",
      value: "<file>",
      help: "configuration to read: JSON, YAML, TOML, a launch script or Python",
    },
    trainer: {
      type: "string",
      value: "<trainer>",
      help: "with --from, the configuration's trainer, also skyrl or prime-rl (default: detected)",
    },
    groups: {
      type: "string",
      value: "<size>",
      help: "trajectories per task, the group size (default: the configuration's, or 8)",
    },
  },
  run: async ({ values: { to, from, trainer, groups }, positionals }, { command: name }) => {
    // `flags --read file --for trainer`, of an earlier version, named the trainer whose configuration it is.
    const former = name === "flags" && from !== undefined;
    const whose = former ? (trainer ?? to) : trainer;
    const target = from === undefined ? (to ?? "trl") : former ? undefined : to;
    if (target !== undefined) expectTrainer("to", target, Object.keys(writers));
    if (whose !== undefined) expectTrainer("trainer", whose, readable);
    if (from === undefined && trainer !== undefined) {
      throw new Complaint("Cannot convert: --trainer must come with --from, which is missing.", see);
    }
    if (positionals.length !== (from === undefined ? 1 : 0)) {
      throw new Complaint(
        `Cannot convert: give one rule, or --from a file, got ${String(positionals.length)} rules${from === undefined ? "" : " and a file"}.`,
        see,
      );
    }
    const library = await import("../configs/index.js");
    const config: ReadConfig | undefined =
      from === undefined
        ? undefined
        : await library.readFlags(textOf(from), whose === undefined ? {} : { for: whose as never });
    const lines: string[] = [];
    if (config !== undefined && target !== undefined)
      lines.push(`${String(config)}\n`.replace(/^(?=.)/gm, "# "));
    const groupSize = groups === undefined ? (config?.groupSize ?? 8) : Number(groups);
    const converted =
      target === undefined
        ? config
        : library[writers[target as keyof typeof writers]](config?.recipe ?? (positionals[0] as never), {
            groupSize,
          });
    lines.push(`${String(converted)}\n`);
    // A configuration of somebody else may hold escape codes.
    process.stdout.write(printable(lines.join("")));
    return 0;
  },
});
