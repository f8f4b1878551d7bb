import { isDeepStrictEqual } from "node:util";
import { Complaint } from "../../../bootstrap/steps.cjs";
import { command } from "../command.js";
import { kernelspec, writeKernelspec } from "../kernelspec.js";
import { hasLabextension, writeLabextension } from "../labextension.js";
import { locationOptions, placeOf } from "../location.js";

export const install = command({
  about: `Registers the kernel with Jupyter, and with JupyterLab the charts that grow while a cell runs. Only one of --user,
--sys-prefix and --prefix may be given. Under the name that notebooks of another kernel ask for (deno, tslab, javascript, jslab,
.net-javascript), it runs those as they are.`,
  options: {
    ...locationOptions,
    force: { type: "boolean", help: "replace a kernel of that name" },
  },
  run: async ({ values }) => {
    const { name, data, folder, present } = await placeOf(values);
    const { force } = values;
    const wanted = kernelspec(name);
    if (present && isDeepStrictEqual(present, wanted) && hasLabextension(data) && !force) {
      process.stdout.write(`The kernel ${name} is already installed in ${folder}\n`);
      return 0;
    }
    if (present && !isDeepStrictEqual(present, wanted) && !force) {
      throw new Complaint(
        `Cannot install the kernel: the name ${name} must be free, but ${folder} holds ${present.display_name || "another kernel"}.`,
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
  },
});

function deniedComplaint(folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (!["EACCES", "EROFS", "EPERM"].includes(code)) return error;
  return new Complaint(
    `Cannot install the kernel: ${folder} must be writable, got ${code}.`,
    "To fix it, use --user, or --prefix <a folder that you may write to>.",
  );
}
