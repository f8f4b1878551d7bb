import { isDeepStrictEqual } from "node:util";
import { Complaint } from "../../bootstrap/steps.cjs";
import { kernelspec, writeKernelspec } from "./kernelspec.js";
import { hasLabextension, writeLabextension } from "./labextension.js";
import { locationUsage, placeOf } from "./location.js";

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
  const place = await placeOf(args, usage);
  if (!place) return 0;
  const { name, data, folder, present, force } = place;
  const wanted = kernelspec(name === "turnwise" ? undefined : `TypeScript (${name})`);
  if (present && isDeepStrictEqual(present, wanted) && hasLabextension(data) && !force) {
    process.stdout.write(`The kernel ${name} is already installed in ${folder}\n`);
    return 0;
  }
  if (present && !isDeepStrictEqual(present, wanted) && !force) {
    throw new Complaint(
      `Cannot install the kernel as the name ${name} must be free: ${folder} holds ${present.display_name || "another kernel"}`,
      `To replace it, add --force; to keep it, choose another name: --name ${name}2`,
    );
  }
  try {
    writeKernelspec(data, name, wanted);
    writeLabextension(data);
  } catch (error) {
    throw deniedComplaint(folder, error);
  }
  process.stdout.write(`Installed the kernel ${name} in ${folder}\n`);
  return 0;
}
