import fs from "node:fs";
import path from "node:path";
import { Complaint } from "../../bootstrap/steps.cjs";
import { readKernelspec } from "./kernelspec.js";
import { removeLabextension } from "./labextension.js";
import { locationUsage, placeOf } from "./location.js";

const usage = `Usage: turnwise uninstall [--user | --sys-prefix | --prefix <P>] [--name <name>] [--force]

Removes the kernel from Jupyter.

${locationUsage}
  --name <name>  name of the kernel (default: turnwise)
  --force        remove it even if it is not a turnwise kernel
`;

/** Whether a kernelspec starts a turnwise kernel, of whichever checkout. */
function isOurs(argv: string[]): boolean {
  return argv.some((word) => /[\\/]dist[\\/]front[\\/]main\.js$/.test(word));
}

/** The command lines of all kernels of a data folder. */
function kernelsIn(data: string): string[][] {
  const folder = path.join(data, "kernels");
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.map((name) => readKernelspec(data, name)?.argv ?? []);
}

/** `turnwise uninstall`: removes a kernelspec that `turnwise install` wrote. */
export async function uninstall(args: string[]): Promise<number> {
  const place = await placeOf(args, usage);
  if (!place) return 0;
  const { name, data, folder, present, force } = place;
  if (!present) {
    throw new Complaint(
      `Cannot uninstall the kernel as ${folder} must hold a kernel.json: it does not`,
      "jupyter kernelspec list tells which kernels there are and where.",
    );
  }
  if (!isOurs(present.argv) && !force) {
    throw new Complaint(
      `Cannot uninstall the kernel as ${folder} must hold a turnwise kernel: it holds ${present.display_name || "another one"}`,
      "To remove it nevertheless, add --force.",
    );
  }
  fs.rmSync(folder, { recursive: true });
  // A second turnwise kernel in the same place still needs it.
  if (!kernelsIn(data).some(isOurs)) removeLabextension(data);
  process.stdout.write(`Removed the kernel ${name} from ${folder}\n`);
  return 0;
}
