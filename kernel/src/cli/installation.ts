import fs from "node:fs";
import path from "node:path";

/** The way the kernel came here: each has other commands that repair it and run it. */
export type Installation = "checkout" | "project" | "global" | "pip" | "temporary";

const packageFolder = path.resolve(__dirname, "..", "..");

/** The way a copy of the kernel's package was installed, by the folder that it is in. */
export function installationOf(folder: string = packageFolder): Installation {
  const parts = folder.split(/[\\/]/);
  // Caches of npx, `pnpm dlx`, `yarn dlx` and bunx, which their owners empty.
  if (/\/(?:_npx|pnpm\/dlx|xfs-[^/]*\/dlx-[^/]*|bunx-[^/]*)\//.test(parts.join("/"))) return "temporary";
  if (parts.includes("turnwise_kernel")) return "pip";
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return "checkout";
  const owner = path.join(parts.slice(0, at).join(path.sep) || path.sep, "package.json");
  return fs.existsSync(owner) ? "project" : "global";
}

/** The command line that runs a command of `turnwise` here. */
export function commandLine(command: string, installation: Installation = installationOf()): string {
  const program = { checkout: "npx ", project: "npx ", temporary: "npx ", global: "", pip: "" }[installation];
  return `${program}turnwise ${command}`;
}

/** The command line that repairs the kernel's package. */
export function repair(installation: Installation = installationOf()): string {
  return {
    checkout: "npm ci --ignore-scripts && npm run build",
    project: "npm install turnwise-kernel",
    temporary: "npm install turnwise-kernel",
    global: "npm install -g turnwise-kernel",
    pip: "pip install --force-reinstall turnwise-kernel",
  }[installation];
}
