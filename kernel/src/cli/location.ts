import path from "node:path";
import { parseArgs } from "node:util";
import { run } from "../../bootstrap/command.cjs";
import { Complaint } from "../../bootstrap/steps.cjs";
import { userDataFolder } from "./folders.js";
import { findPython } from "./jupyter/python.js";
import { assertKernelName, readKernelspec, type Kernelspec } from "./kernelspec.js";

interface LocationFlags {
  user?: boolean;
  "sys-prefix"?: boolean;
  prefix?: string;
}

const locationOptions = {
  user: { type: "boolean", default: false },
  "sys-prefix": { type: "boolean", default: false },
  prefix: { type: "string" },
  name: { type: "string", default: "turnwise" },
  force: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

export const locationUsage = `  --user         for your account (the default)
  --sys-prefix   for the active Python environment
  --prefix <P>   below P, as P/share/jupyter/kernels`;

async function sysPrefix(): Promise<string> {
  const active = process.env.VIRTUAL_ENV || process.env.CONDA_PREFIX;
  if (active) return active;
  const python = await findPython();
  if (!python) {
    throw new Complaint(
      "Cannot find the Python environment as python3 must be on PATH: it is not",
      "To mend it, activate an environment, or use --user or --prefix <folder>.",
    );
  }
  const args = [...python.argv.slice(1), "-c", "import sys; print(sys.prefix)"];
  return (await run(python.argv[0], args)).output.trim();
}

/** The Jupyter data folder that the flags mean. */
async function dataFolder(flags: LocationFlags): Promise<string> {
  const given = [flags.user, flags["sys-prefix"], flags.prefix !== undefined].filter(Boolean).length;
  if (given > 1) {
    throw new Complaint(
      "Cannot choose a place as only one of --user, --sys-prefix and --prefix may be given",
    );
  }
  if (flags.prefix !== undefined) return path.resolve(flags.prefix, "share", "jupyter");
  if (flags["sys-prefix"]) return path.join(await sysPrefix(), "share", "jupyter");
  return userDataFolder();
}

/** A kernel's name, where it is or would be, and what is there. */
export interface Place {
  name: string;
  /** Jupyter's data folder. */
  data: string;
  /** The kernel's folder in it. */
  folder: string;
  present: Kernelspec | undefined;
  force: boolean;
}

/** Reads the command line that `install` and `uninstall` share; undefined when it asked for the usage, which is printed. */
export async function placeOf(args: string[], usage: string): Promise<Place | undefined> {
  const { values } = parseArgs({ args, options: locationOptions });
  if (values.help) {
    process.stdout.write(usage);
    return undefined;
  }
  const { name, force } = values;
  assertKernelName(name);
  const data = await dataFolder(values);
  return { name, data, folder: path.join(data, "kernels", name), present: readKernelspec(data, name), force };
}
