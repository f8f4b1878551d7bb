import { jupyterLab } from "../../../bootstrap/python-packages.cjs";
import type { Folders } from "../folders.js";
import { makeEnvironment } from "./environment.js";
import { inEnvironment, type Jupyter } from "./find.js";

/** Makes the project's own .venv with the pinned JupyterLab. */
export async function makeVenv(
  folders: Folders,
  { packages = jupyterLab, out }: { packages?: readonly string[]; out?: NodeJS.WritableStream } = {},
): Promise<Jupyter> {
  let found: Jupyter | undefined;
  const holds = async (): Promise<string | undefined> => {
    found = await inEnvironment(folders.venv, ".venv");
    return found && `JupyterLab ${found.version}`;
  };
  const instead = 'install JupyterLab >= 4 yourself so that "jupyter" is on PATH';
  await makeEnvironment({ folder: folders.venv, title: "JupyterLab", packages, holds, instead }, out);
  return found!;
}
