import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { Complaint, step } from "turnwise-kernel/bootstrap/steps.cjs";
import { root } from "./paths.js";

const folder = path.join(root, "build", "vscode-widgets");

/**
 * What VS Code's Jupyter extension shows widgets with, and what it asks a network for: each is one file, and what else it lists as
 * needed is inside.
 */
const alone = {
  "@vscode/jupyter-ipywidgets8": { version: "1.0.9", file: "dist/ipywidgets.js", as: "ipywidgets.js" },
  anywidget: { version: "0.11.0", file: "dist/index.js", as: "anywidget.js" },
  requirejs: { version: "2.3.8", file: "require.js", as: "require.js" },
} as const;
const services = "@jupyterlab/services@7.6.6";

const fileOf = (name: string): string => path.join(folder, name);
const connection = "services.js";
const files: readonly string[] = [...Object.values(alone).map(({ as }) => as), connection];

/** Text of the scripts by their names, as a page loads them; undefined if they are not installed. */
export function vsCodeScripts(): Readonly<Record<string, string>> | undefined {
  if (!files.every((name) => fs.existsSync(fileOf(name)))) return undefined;
  return Object.fromEntries(files.map((name) => [name, fs.readFileSync(fileOf(name), "utf8")]));
}

const npm = (args: readonly string[]): Promise<unknown> =>
  promisify(execFile)("npm", [...args, "--loglevel=error"], {
    cwd: folder,
    shell: process.platform === "win32",
  });

/** Installs them, unless they are there. */
export async function provideVsCodeWidgets(out?: NodeJS.WritableStream): Promise<void> {
  if (vsCodeScripts() !== undefined) return;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  // A package.json of its own, or npm would install into the checkout's.
  fs.writeFileSync(fileOf("package.json"), '{ "private": true }\n');
  await step(
    "Installing what VS Code shows widgets with",
    async () => {
      try {
        await npm(["pack", ...Object.entries(alone).map(([name, { version }]) => `${name}@${version}`)]);
        for (const [name, { version, file, as }] of Object.entries(alone)) {
          const archive = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
          await promisify(execFile)("tar", ["xzf", archive], { cwd: folder });
          fs.copyFileSync(path.join(folder, "package", file), fileOf(as));
          fs.rmSync(path.join(folder, "package"), { recursive: true });
        }
        await npm(["install", services, "--ignore-scripts", "--no-audit", "--no-fund"]);
      } catch (error) {
        throw new Complaint(
          `Cannot install what VS Code shows widgets with: npm must have it: ${String(error)}`,
        );
      }
      await build({
        stdin: {
          contents: 'export { KernelManager, ServerConnection } from "@jupyterlab/services";',
          resolveDir: folder,
        },
        outfile: fileOf(connection),
        bundle: true,
        format: "esm",
        platform: "browser",
        define: { global: "globalThis" },
        logLevel: "error",
      });
    },
    out,
  );
}
