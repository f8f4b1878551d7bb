import path from "node:path";
import { run } from "../../bootstrap/command.cjs";
import { Complaint } from "../../bootstrap/steps.cjs";
import type { Options, Values } from "./command.js";
import { userDataFolder } from "./folders.js";
import { activeEnvironment, findPython } from "./jupyter/python.js";
import { assertKernelName, readKernelspec, type Kernelspec } from "./kernelspec.js";

/** The options by which `install` and `uninstall` find the place of a kernel. */
export const locationOptions = {
  user: { type: "boolean", help: "for your account (the default)" },
  "sys-prefix": { type: "boolean", help: "for the active Python environment" },
  prefix: { type: "string", value: "<P>", help: "below P, in P/share/jupyter/kernels" },
  name: {
    type: "string",
    value: "<name>",
    default: "turnwise",
    help: "name of the kernel (default: turnwise)",
  },
} as const satisfies Options;

type LocationValues = Values<typeof locationOptions>;

async function sysPrefix(): Promise<string> {
  const active = activeEnvironment();
  if (active) return active;
  const python = await findPython();
  if (!python) {
    throw new Complaint(
      "Cannot find the Python environment: python3 is not on PATH.",
      "To fix it, activate an environment, or use --user or --prefix <folder>.",
    );
  }
  const args = [...python.argv.slice(1), "-c", "import sys; print(sys.prefix)"];
  return (await run(python.argv[0], args)).output.trim();
}

/** The Jupyter data folder that the flags name. */
async function dataFolder(flags: LocationValues): Promise<string> {
  const given = [flags.user, flags["sys-prefix"], flags.prefix !== undefined].filter(Boolean).length;
  if (given > 1) {
    throw new Complaint("Cannot choose a place: only one of --user, --sys-prefix and --prefix may be given.");
  }
  if (flags.prefix !== undefined) return path.resolve(flags.prefix, "share", "jupyter");
  if (flags["sys-prefix"]) return path.join(await sysPrefix(), "share", "jupyter");
  return userDataFolder();
}

/** A kernel's name, where it is or would be, and what is there now. */
export interface Place {
  name: string;
  /** Jupyter's data folder. */
  data: string;
  /** The kernel's folder in it. */
  folder: string;
  present: Kernelspec | undefined;
}

/** The place that the options name. */
export async function placeOf(values: LocationValues): Promise<Place> {
  const { name } = values;
  assertKernelName(name);
  const data = await dataFolder(values);
  return { name, data, folder: path.join(data, "kernels", name), present: readKernelspec(data, name) };
}
