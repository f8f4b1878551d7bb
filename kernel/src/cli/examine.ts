import fs from "node:fs";
import path from "node:path";
import { run, tail } from "../../bootstrap/command.cjs";
import { nodeComplaint } from "../../bootstrap/node-version.cjs";
import { packagesOnDisk } from "../help/packages-on-disk.js";
import { projectFolders, userDataFolder } from "./folders.js";
import { commandLine, installationOf, repair } from "./installation.js";
import { findJupyter, hasWidgets } from "./jupyter/find.js";
import { activeEnvironment, findPython, oldestPython } from "./jupyter/python.js";
import { defaultKernelName, kernelEntry, readKernelspec } from "./kernelspec.js";

/** One line of the report: what was examined, whether it is in order, and what fixes it. */
export interface Finding {
  state: "ok" | "note" | "bad";
  text: string;
  advice?: string;
}

function node(): Finding {
  const complaint = nodeComplaint(process.versions.node);
  return complaint
    ? { state: "bad", text: complaint.split("\n")[0], advice: "install a current Node (nodejs.org)" }
    : { state: "ok", text: `Node ${process.versions.node} (${process.execPath})` };
}

/** Only a checkout has our lockfile to compare with; a project's own says nothing of our packages, which npm has put there. */
async function packages(root: string): Promise<Finding[]> {
  if (installationOf() !== "checkout" || !fs.existsSync(path.join(root, "package-lock.json"))) return [];
  const { missingPackage } = await import("../../bootstrap/install.cjs");
  const missing = missingPackage(root);
  return [
    missing
      ? { state: "bad", text: `npm packages: ${missing} is not as locked`, advice: "npm ci --ignore-scripts" }
      : { state: "ok", text: "npm packages as locked" },
  ];
}

async function kernel(root: string): Promise<Finding> {
  const isCheckout = installationOf() === "checkout";
  if (!fs.existsSync(kernelEntry)) {
    return { state: "bad", text: `Kernel: ${kernelEntry} is missing`, advice: repair() };
  }
  try {
    const started = Date.now();
    const { startKernel } = await import("../client/client.js");
    const client = await startKernel({ cwd: root });
    const result = await client.execute("1 + 1");
    const took = ((Date.now() - started) / 1000).toFixed(1);
    await client.shutdown();
    const shown = result.outputs.flatMap((output) =>
      "data" in output ? [String(output.data["text/plain"])] : [],
    );
    const text = shown[0] ?? result.error?.evalue ?? "nothing";
    const said = `Kernel: 1 + 1 gives ${text} ${took} s after its start`;
    if (text === "2") return { state: "ok", text: said };
    return { state: "bad", text: said, advice: isCheckout ? "npm test" : repair() };
  } catch (error) {
    return {
      state: "bad",
      text: `Kernel: ${(error as Error).message}`,
      advice: isCheckout ? "npm run build, then npm test" : repair(),
    };
  }
}

async function jupyter(root: string): Promise<Finding[]> {
  const found = await findJupyter(projectFolders(root));
  if (found) {
    const lab: Finding = { state: "ok", text: `JupyterLab ${found.version} in ${found.where}` };
    if (hasWidgets(found)) return [lab];
    const advice = "pip install jupyterlab_widgets, with the pip of that JupyterLab";
    return [lab, { state: "note", text: "JupyterLab shows no widgets (sliders, menus)", advice }];
  }
  const python = await findPython();
  const advice = python
    ? `${commandLine("lab")} makes .venv with it (Python ${python.version} is here)`
    : `install Python >= ${oldestPython}; ${commandLine("run")} needs neither`;
  return [{ state: "note", text: "JupyterLab >= 4 was not found", advice }];
}

function kernelspecs(root: string): Finding[] {
  const environment = activeEnvironment();
  const places = [
    ["for this folder", projectFolders(root).data],
    ...(environment ? [["in the Python environment", path.join(environment, "share", "jupyter")]] : []),
    ["for your account", userDataFolder()],
  ];
  const findings = places.flatMap(([where, data]): Finding[] => {
    const spec = readKernelspec(data, defaultKernelName);
    if (!spec) return [];
    // Jupyter itself finds what has no path, such as the Python of the environment.
    const missing = spec.argv.slice(0, 2).find((file) => path.isAbsolute(file) && !fs.existsSync(file));
    if (spec.argv.length === 0 || missing !== undefined) {
      const text = `Kernelspec ${where}: ${missing ?? "its kernel.json"} cannot be used`;
      return [{ state: "bad", text, advice: installAgain(data === projectFolders(root).data) }];
    }
    return [{ state: "ok", text: `Kernelspec ${where}: ${path.join(data, "kernels", defaultKernelName)}` }];
  });
  if (findings.length > 0) return findings;
  const advice = `${commandLine("lab")} or ${commandLine("install")}`;
  return [{ state: "note", text: "No kernelspec is installed", advice }];
}

/** The kernelspec of a folder is written whenever Lab is started for it. */
function installAgain(forFolder: boolean): string {
  if (!forFolder) return commandLine("install --force");
  return installationOf() === "checkout" ? "npm start" : commandLine("lab");
}

/** Findings of packages that declare `jupyterKernel.doctor`, and faults in their declarations. */
async function declared(root: string): Promise<Finding[]> {
  const { packages: known, problems } = packagesOnDisk(root);
  const findings = problems.map((text): Finding => ({
    state: "bad",
    text,
    advice: "see PACKAGES.md of turnwise-kernel",
  }));
  for (const { name, file, field } of known) {
    if (field.doctor !== undefined)
      findings.push(...(await examined(root, name, path.join(path.dirname(file), field.doctor))));
  }
  return findings;
}

/** Runs in a process of its own: a native addon that crashes must not take the report with it. */
async function examined(root: string, name: string, file: string): Promise<Finding[]> {
  const mark = "jupyterKernel.doctor ";
  const script = `Promise.resolve(require(${JSON.stringify(file)}).examine())
    .then((findings) => console.log(${JSON.stringify(mark)} + JSON.stringify(findings)))`;
  const result = await run(process.execPath, ["-e", script], { cwd: root, timeoutMs: 60_000 });
  const line = result.output.split("\n").find((one) => one.startsWith(mark));
  const findings = line === undefined ? undefined : findingsIn(line.slice(mark.length));
  if (findings) return findings;
  const text = `Cannot examine ${name}: ${file} must export examine(), which resolves to a list of { state, text }\n${tail(result.output, 6)}`;
  const advice = installationOf() === "checkout" ? "npm run build" : `npm install ${name}`;
  return [{ state: "bad", text, advice }];
}

function findingsIn(json: string): Finding[] | undefined {
  try {
    const findings = JSON.parse(json) as Finding[];
    const isFinding = ({ state, text }: Finding): boolean =>
      ["ok", "note", "bad"].includes(state) && typeof text === "string";
    return Array.isArray(findings) && findings.every(isFinding) ? findings : undefined;
  } catch {
    return undefined;
  }
}

/** All findings, in the order in which one thing depends on another. */
export async function examine(root: string): Promise<Finding[]> {
  return [
    node(),
    ...(await packages(root)),
    await kernel(root),
    ...(await jupyter(root)),
    ...kernelspecs(root),
    ...(await declared(root)),
  ];
}
