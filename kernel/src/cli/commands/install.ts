import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { run, tail } from "../../../bootstrap/command.cjs";
import { nodeComplaint } from "../../../bootstrap/node-version.cjs";
import { Complaint, step } from "../../../bootstrap/steps.cjs";
import { packagesOnDisk } from "../../help/packages-on-disk.js";
import { findSnapshot } from "../../types/snapshot.js";
import { command } from "../command.js";
import { commandLine, installationOf } from "../installation.js";
import { kernelspec, writeKernelspec } from "../kernelspec.js";
import { hasLabextension, writeLabextension } from "../labextension.js";
import { locationOptions, placeOf } from "../location.js";

export const install = command({
  about: `Registers the kernel with Jupyter, and with JupyterLab the extension for charts that grow while a cell runs. Only one
of --user, --sys-prefix and --prefix may be given. If you install it under the name of another kernel (deno, tslab,
javascript, jslab, .net-javascript), it runs that kernel's notebooks as they are.`,
  options: {
    ...locationOptions,
    node: {
      type: "string",
      value: "<file>",
      help: "Node that runs the kernel (default: the one running this command)",
    },
    force: { type: "boolean", help: "replace an existing kernel of that name" },
  },
  run: async ({ values }, { root }) => {
    assertLasting();
    const { name, data, folder, present } = await placeOf(values);
    const { force } = values;
    const node = values.node === undefined ? process.execPath : await nodeAt(values.node);
    const wanted = kernelspec(name, node);
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
    // A checkout has been prepared when it was built; for another Node, its first kernel does it.
    if (node === process.execPath && installationOf() !== "checkout") await prepare(root);
    return 0;
  },
});

/** A kernelspec names the folder of this package, which must stay. */
function assertLasting(): void {
  const folder = path.resolve(__dirname, "..", "..", "..");
  if (installationOf(folder) !== "temporary") return;
  throw new Complaint(
    `Cannot install the kernel: its package must be in a folder that lasts, but ${folder} is a cache, which npx and the like empty.`,
    "To fix it, run: npm install -g turnwise-kernel && turnwise install\n" +
      "or, for the project in this folder: npm install turnwise-kernel && npx turnwise install",
  );
}

/** The Node that a kernelspec names, as an absolute path. */
async function nodeAt(given: string): Promise<string> {
  const file = path.resolve(given);
  const result = await run(file, ["-p", "process.versions.node"], { timeoutMs: 30_000 }).catch(
    () => undefined,
  );
  const version = /^\d+\.\d+\.\d+/m.exec(result?.code === 0 ? result.output : "")?.[0];
  if (version === undefined) {
    throw new Complaint(
      `Cannot install the kernel: --node must be the program file of a Node, but ${file} does not run as one.`,
      `To use the Node of this command (${process.execPath}), leave --node out.`,
    );
  }
  const complaint = nodeComplaint(version);
  if (complaint !== "") throw new Complaint(`Cannot install the kernel with ${file}: ${complaint}`);
  return file;
}

/** Makes the first cells as fast as later ones. Nothing depends on it but speed, so that it never fails. */
async function prepare(root: string): Promise<void> {
  if (process.env.TURNWISE_SNAPSHOT !== "off" && findSnapshot() === undefined) {
    await step("Preparing the type checker", async () => {
      await run(process.execPath, [path.join(__dirname, "..", "..", "types", "snapshot-make.js")]);
      return findSnapshot() === undefined ? `not kept: ${commandLine("doctor")} says more` : "";
    });
  }
  for (const { name, file, field } of packagesOnDisk(root).packages) {
    if (field.prepare === undefined) continue;
    const module = path.join(path.dirname(file), field.prepare);
    const mark = "jupyterKernel.prepare ";
    const script = `Promise.resolve(require(${JSON.stringify(module)}).prepare())
      .then((told) => console.log(${JSON.stringify(mark)} + JSON.stringify(String(told))))`;
    await step(`Preparing ${name}`, async () => {
      const { output } = await run(process.execPath, ["-e", script], { cwd: root, timeoutMs: 300_000 });
      const line = output.split("\n").find((one) => one.startsWith(mark));
      return line === undefined
        ? `it failed\n${tail(output, 6)}`
        : (JSON.parse(line.slice(mark.length)) as string);
    });
  }
}

function deniedComplaint(folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (!["EACCES", "EROFS", "EPERM"].includes(code)) return error;
  return new Complaint(
    `Cannot install the kernel: ${folder} must be writable, got ${code}.`,
    "To fix it, use --user, or --prefix <a folder that you may write to>.",
  );
}
