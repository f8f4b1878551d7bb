import fs from "node:fs";
import path from "node:path";
import { Complaint } from "../../../bootstrap/steps.cjs";
import { command } from "../command.js";
import { readKernelspec } from "../kernelspec.js";
import { removeLabextension } from "../labextension.js";
import { locationOptions, placeOf } from "../location.js";

export const uninstall = command({
  about: "Removes a kernel that `turnwise install` registered.",
  options: {
    ...locationOptions,
    force: { type: "boolean", help: "remove the kernel even if it is not turnwise's" },
  },
  run: async ({ values }) => {
    const { name, data, folder, present } = await placeOf(values);
    if (!present) {
      throw new Complaint(
        `Cannot uninstall the kernel: ${folder} has no kernel.json.`,
        "jupyter kernelspec list shows which kernels there are, and where.",
      );
    }
    if (isOfPip(present.argv) && !values.force) {
      throw new Complaint(
        `Cannot uninstall the kernel: ${folder} must be one that turnwise install wrote, but it belongs to the Python package turnwise-kernel.`,
        "To remove it: pip uninstall turnwise-kernel, with the pip of that environment.",
      );
    }
    if (!isOurs(present.argv) && !values.force) {
      throw new Complaint(
        `Cannot uninstall the kernel: ${folder} must hold a turnwise kernel, but it holds ${present.display_name || "another one"}.`,
        "To remove it anyway, add --force.",
      );
    }
    fs.rmSync(folder, { recursive: true });
    // A second turnwise kernel in the same place still needs it.
    if (!kernelsIn(data).some((argv) => isOurs(argv) || isOfPip(argv))) removeLabextension(data);
    process.stdout.write(`Removed the kernel ${name} from ${folder}\n`);
    return 0;
  },
});

/** Whether a kernelspec starts a turnwise kernel, from any checkout. */
function isOurs(argv: string[]): boolean {
  return argv.some((word) => /[\\/]dist[\\/]front[\\/]main\.js$/.test(word));
}

/** Whether a kernelspec came with the Python package, and goes with it. */
function isOfPip(argv: string[]): boolean {
  return argv.includes("turnwise_kernel");
}

/** The command lines of all kernels of a data folder. */
function kernelsIn(data: string): string[][] {
  const folder = path.join(data, "kernels");
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.map((name) => readKernelspec(data, name)?.argv ?? []);
}
