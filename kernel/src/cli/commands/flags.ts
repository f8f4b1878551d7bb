import fs from "node:fs";
import { Complaint } from "../../../bootstrap/steps.cjs";
import { command } from "../command.js";
import { suggest } from "../../help/suggest.js";

type Convert<O> = (given: string, options?: object) => O;

/** The trainers by their names here, and what converts a row and a configuration. */
const trainers = {
  trl: ["toTrl", "fromTrl"],
  verl: ["toVerl", "fromVerl"],
  openrlhf: ["toOpenRlhf", "fromOpenRlhf"],
} as const;

function converters(name: string): readonly [string, string] {
  if (Object.hasOwn(trainers, name)) return trainers[name as keyof typeof trainers];
  const [meant] = suggest(name, Object.keys(trainers));
  throw new Complaint(
    `Cannot write flags as --for must be one of ${Object.keys(trainers).join(", ")}: current value is ${name}`,
    meant === undefined ? "See: turnwise flags --help" : `Did you mean: --for ${meant}`,
  );
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    throw new Complaint(
      `Cannot read a configuration as its file must be there: current path is ${file}`,
      "See: turnwise flags --help",
    );
  }
}

export const flags = command({
  summary: "write a rule as flags of TRL, verl or OpenRLHF, or read theirs back",
  about: `Writes a row of the table of rules as the flags of a trainer. Cells that it cannot express are named in comments
above them, with what it does instead. With --read, a configuration becomes the nearest row, and what is not of the
rule is named.`,
  positionals: "[row]",
  options: {
    for: { type: "string", value: "<trainer>", default: "trl", help: "trl, verl or openrlhf: trl" },
    groups: {
      type: "string",
      value: "<size>",
      default: "8",
      help: "how many trajectories begin with one task: 8",
    },
    read: {
      type: "string",
      value: "<file>",
      help: "a configuration as JSON, by the names of its flags or nested",
    },
  },
  run: async ({ values, positionals }, { root }) => {
    const [to, from] = converters(values.for);
    if (positionals.length !== (values.read === undefined ? 1 : 0)) {
      throw new Complaint(
        `Cannot write flags as there must be one row, or a configuration to read: current number of rows is ${String(positionals.length)}`,
        "See: turnwise flags --help",
      );
    }
    const { requireLibrary, told } = await import("../library.js");
    const library = requireLibrary(root, "dist/practice/index.js") as Record<string, Convert<object>>;
    return told(() => {
      const converted =
        values.read === undefined
          ? library[to]!(positionals[0]!, { groupSize: Number(values.groups) })
          : library[from]!(textOf(values.read));
      process.stdout.write(`${String(converted)}\n`);
      return 0;
    });
  },
});
