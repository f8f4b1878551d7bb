import fs from "node:fs";
import { Complaint } from "turnwise/internal/command/contract";
import { command } from "turnwise/internal/command/options";
import { printable } from "turnwise/internal/command/printable";
import { nearest } from "turnwise/internal/base/suggest";

type Convert = (given: string, options?: object) => object | Promise<object>;

/** The trainers that flags are written for, by their names here, and what writes them. */
const written = { trl: "toTrl", verl: "toVerl", openrlhf: "toOpenRlhf" } as const;
/** The trainers whose configurations are read. */
const read = [...Object.keys(written), "skyrl", "prime-rl"];

function expectTrainer(name: string, known: readonly string[], verb: string): void {
  if (known.includes(name)) return;
  const meant = nearest(name, known);
  throw new Complaint(
    `Cannot ${verb} flags: --for must be one of ${known.join(", ")}, got ${name}.`,
    meant === undefined ? "See: turnwise flags --help" : `Did you mean: --for ${meant}`,
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
      "See: turnwise flags --help",
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
  about: `Writes a row of the table of rules as the flags of a trainer. Cells that it cannot express are named in comments
above them, with what it does instead. With --read, a configuration becomes the nearest row, and what is not of the
rule is named: JSON, YAML, TOML, a launch script or the arguments of a GRPOConfig, of TRL, verl, OpenRLHF, SkyRL or
prime-rl, which is recognized by its names. Ends with 1 if the names are no trainer's.`,
  positionals: "[row]",
  options: {
    for: {
      type: "string",
      value: "<trainer>",
      help: "trl, verl or openrlhf, and with --read skyrl or prime-rl: trl, or the one whose names they are",
    },
    groups: {
      type: "string",
      value: "<size>",
      default: "8",
      help: "number of trajectories that begin with one task (default: 8)",
    },
    read: {
      type: "string",
      value: "<file>",
      help: "configuration to read: JSON, YAML, TOML, a launch script or Python",
    },
  },
  run: async ({ values, positionals }) => {
    const trainer = values.for;
    if (values.read === undefined) expectTrainer(trainer ?? "trl", Object.keys(written), "write");
    else if (trainer !== undefined) expectTrainer(trainer, read, "read");
    if (positionals.length !== (values.read === undefined ? 1 : 0)) {
      throw new Complaint(
        `Cannot write flags: give one rule, or a configuration to read, got ${String(positionals.length)} rules.`,
        "See: turnwise flags --help",
      );
    }
    const library = (await import("../configs/index.js")) as unknown as Record<string, Convert>;
    const converted =
      values.read === undefined
        ? await library[written[(trainer ?? "trl") as keyof typeof written]]!(positionals[0]!, {
            groupSize: Number(values.groups),
          })
        : await library["readFlags"]!(textOf(values.read), trainer === undefined ? {} : { for: trainer });
    // A configuration of somebody else may hold escape codes.
    process.stdout.write(`${printable(String(converted))}\n`);
    return 0;
  },
});
