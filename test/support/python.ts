// Uses internals of turnwise-kernel/cli.
import fs from "node:fs";
import path from "node:path";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import * as packages from "turnwise-kernel/bootstrap/python-packages.cjs";
import { environmentPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { skip } from "./needs.js";
import { root } from "./paths.js";

/** A list of kernel/bootstrap/python-packages.cjs that tests ask for. */
export type PythonPackages =
  | "protocolTests"
  | "notebookTests"
  | "clusterTests"
  | "graderTests"
  | "openEnvTests"
  | "trainerTests"
  | "clientTests";

/** Where `npm test` installs these packages. */
export const protocolVenv = (checkout = root): string => path.join(checkout, ".turnwise", "protocol-venv");

/** Where `npm test` installs OpenEnv: its needs and Jupyter's are not for one environment. */
export const openEnvVenv = (checkout = root): string => path.join(checkout, ".turnwise", "openenv-venv");

/** Where `npm test` installs the trainers whose flags are written: their needs are not installed. */
export const trainersVenv = (checkout = root): string => path.join(checkout, ".turnwise", "trainers-venv");

/** Where the matrix installs the packages that clients of trainers are tried with. */
export const clientsVenv = (checkout = root): string => path.join(checkout, ".turnwise", "clients-venv");

/** Where the matrix installs Notebook, which would show itself in JupyterLab's own environment. */
export const notebookVenv = (checkout = root): string => path.join(checkout, ".turnwise", "notebook-venv");

/** Lists with an environment of their own, and what is installed there without what it asks for. */
const apart = {
  notebookTests: { folder: notebookVenv, alone: [] },
  openEnvTests: { folder: openEnvVenv, alone: packages.openEnv },
  trainerTests: { folder: trainersVenv, alone: packages.trainers },
  clientTests: { folder: clientsVenv, alone: packages.clients },
} as const;
const isApart = (list: PythonPackages): list is keyof typeof apart => Object.hasOwn(apart, list);

/** Whether a Python has the packages, each in the version given where one is. */
export async function hasPackages(python: string, requirements: readonly string[]): Promise<boolean> {
  if (path.isAbsolute(python) && !fs.existsSync(python)) return false;
  const script = `from importlib.metadata import version
for name, _, wanted in [word.partition("==") for word in ${JSON.stringify(requirements)}]:
    assert version(name) == wanted or not wanted, name
print("turnwise-has")`;
  try {
    const { code, output } = await run(python, ["-c", script], { timeoutMs: 60_000 });
    return code === 0 && output.includes("turnwise-has");
  } catch {
    return false;
  }
}

/** A Python that has the packages, in whatever version; without one the test is skipped. */
export async function pythonWith(context: Mocha.Context, list: PythonPackages): Promise<string> {
  const wanted = isApart(list) ? [...packages[list], ...apart[list].alone] : packages[list];
  const names = wanted.map((requirement) => requirement.split("==")[0]!);
  const active = process.env.VIRTUAL_ENV;
  const candidates = [
    environmentPython(isApart(list) ? apart[list].folder() : protocolVenv()),
    ...(active ? [environmentPython(active)] : []),
    environmentPython(path.join(root, ".venv")),
    "python3",
  ];
  for (const python of candidates) if (await hasPackages(python, names)) return python;
  skip(context, `needs Python >= 3.9 with ${names.join(", ")}`, "npm test -- --prepare");
}
