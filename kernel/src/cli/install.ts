import path from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { Complaint } from "../../bootstrap/steps.cjs";
import { assertKernelName, kernelspec, readKernelspec, writeKernelspec } from "./kernelspec.js";
import { hasLabextension, writeLabextension } from "./labextension.js";
import { dataFolder, locationOptions, locationUsage } from "./location.js";

const usage = `Usage: turnwise install [--user | --sys-prefix | --prefix <P>] [--name <name>] [--force]

Registers the kernel with Jupyter, and its charts that grow with JupyterLab.

${locationUsage}
  --name <name>  name of the kernel (default: turnwise)
  --force        replace a kernel of that name
`;

function deniedComplaint(folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (!["EACCES", "EROFS", "EPERM"].includes(code)) return error;
  return new Complaint(
    `Cannot install the kernel as ${folder} must be writable: ${code}`,
    "To mend it, use --user, or --prefix <a folder that you may write to>.",
  );
}

/** `turnwise install`: writes the kernelspec; an existing different one is replaced only with --force. */
export async function install(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: locationOptions });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  assertKernelName(values.name);
  const data = await dataFolder(values);
  const folder = path.join(data, "kernels", values.name);
  const wanted = kernelspec(values.name === "turnwise" ? undefined : `TypeScript (${values.name})`);
  const present = readKernelspec(data, values.name);
  if (present && isDeepStrictEqual(present, wanted) && hasLabextension(data) && !values.force) {
    process.stdout.write(`The kernel ${values.name} is already installed in ${folder}\n`);
    return 0;
  }
  if (present && !isDeepStrictEqual(present, wanted) && !values.force) {
    throw new Complaint(
      `Cannot install the kernel as the name ${values.name} must be free: ${folder} holds ${present.display_name || "another kernel"}`,
      `To replace it, add --force; to keep it, choose another name: --name ${values.name}2`,
    );
  }
  try {
    writeKernelspec(data, values.name, wanted);
    writeLabextension(data);
  } catch (error) {
    throw deniedComplaint(folder, error);
  }
  process.stdout.write(`Installed the kernel ${values.name} in ${folder}\n`);
  return 0;
}
