import fs from "node:fs";
import path from "node:path";
import { replaceFile } from "../../bootstrap/replace-file.cjs";
import { dialectOf, type Dialect } from "../magics/dialects.js";
import { Complaint } from "../../bootstrap/steps.cjs";

export const defaultKernelName = "turnwise";

/** Fields that Jupyter reads from kernel.json (jupyter_client, "Making kernels for Jupyter"). */
export interface Kernelspec {
  argv: string[];
  display_name: string;
  language: string;
  interrupt_mode: "message";
  kernel_protocol_version: string;
  metadata: Record<string, unknown>;
}

const packageFolder = path.resolve(__dirname, "..", "..");

/** The program that Jupyter starts, as an absolute path. */
export const kernelEntry: string = path.join(packageFolder, "dist", "front", "main.js");

const languages: Record<Dialect, string> = {
  typescript: "TypeScript",
  javascript: "JavaScript",
  deno: "TypeScript",
};

/**
 * The kernelspec of a name; under the name of another kernel, the notebooks written for that one run. `node` is the Node that runs
 * the kernel.
 */
export function kernelspec(name: string = defaultKernelName, node: string = process.execPath): Kernelspec {
  const known = dialectOf(name);
  const dialect = known ?? "typescript";
  const forWhom = known === undefined ? name : `turnwise for ${name}`;
  return {
    argv: [
      node,
      kernelEntry,
      "{connection_file}",
      ...(dialect === "typescript" ? [] : [`--dialect=${dialect}`]),
    ],
    display_name: `${languages[dialect]} (${name === defaultKernelName ? name : forWhom})`,
    language: languages[dialect].toLowerCase(),
    interrupt_mode: "message",
    kernel_protocol_version: "5.4",
    metadata: { debugger: true, supported_encryption: ["curve"] },
  };
}

/** @throws {Complaint} if Jupyter would not accept the name of a kernelspec folder */
export function assertKernelName(name: string): void {
  if (!/^[A-Za-z0-9._-]+$/.test(name)) {
    throw new Complaint(
      `Cannot use this kernel name: it must consist of letters, digits, ".", "_" and "-", got ${JSON.stringify(name)}.`,
    );
  }
}

/** Writes kernel.json and the logos into <dataFolder>/kernels/<name>; returns that folder. */
export function writeKernelspec(dataFolder: string, name: string, spec: Kernelspec = kernelspec()): string {
  const folder = path.join(dataFolder, "kernels", name);
  fs.mkdirSync(folder, { recursive: true });
  const assets = path.join(packageFolder, "assets");
  const logos = fs.existsSync(assets)
    ? fs.readdirSync(assets).filter((file) => file.startsWith("logo-"))
    : [];
  for (const logo of logos) replaceFile(path.join(folder, logo), fs.readFileSync(path.join(assets, logo)));
  replaceFile(path.join(folder, "kernel.json"), JSON.stringify(spec, null, 2) + "\n");
  return folder;
}

/** The installed kernel.json, or undefined if there is none. */
export function readKernelspec(dataFolder: string, name: string): Kernelspec | undefined {
  const file = path.join(dataFolder, "kernels", name, "kernel.json");
  if (!fs.existsSync(file)) return undefined;
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Kernelspec;
  } catch {
    return {
      argv: [],
      display_name: "",
      language: "",
      interrupt_mode: "message",
      kernel_protocol_version: "",
      metadata: {},
    };
  }
}
