import fs from "node:fs";
import path from "node:path";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import { environmentPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { skip } from "./needs.js";
import { root } from "./paths.js";

/** Where .ci/run installs jupyter_kernel_test, nbclient and nbconvert. */
export const protocolVenv: string = path.join(root, ".turnwise", "protocol-venv");

/** A Python that can import the given modules; without one the test is skipped, with the command that helps. */
export async function pythonWith(context: Mocha.Context, modules: string[]): Promise<string> {
  const active = process.env.VIRTUAL_ENV;
  const candidates = [
    environmentPython(protocolVenv),
    ...(active ? [environmentPython(active)] : []),
    environmentPython(path.join(root, ".venv")),
    "python3",
  ];
  for (const python of candidates) {
    if (path.isAbsolute(python) && !fs.existsSync(python)) continue;
    try {
      const { code } = await run(python, ["-c", `import ${modules.join(", ")}`], { timeoutMs: 60_000 });
      if (code === 0) return python;
    } catch {
      continue;
    }
  }
  const folder = path.relative(root, protocolVenv);
  skip(
    context,
    `needs Python with ${modules.join(", ")}; to enable it: ` +
      `python3 -m venv ${folder} && ${folder}/bin/pip install ${modules.join(" ")}`,
  );
}
