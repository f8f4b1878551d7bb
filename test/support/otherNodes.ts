import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Complaint, step } from "turnwise-kernel/bootstrap/steps.cjs";
import { root } from "./paths.js";

/** One of each line of Node that the library supports. */
const versions = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"] as const;

const lineOf = (version: string): string => version.split(".")[0]!;

/** The lines that the library supports, the oldest first. */
export const lines: readonly string[] = versions.map(lineOf);

const system = process.platform === "win32" ? "win" : process.platform;
/** What npm's package `node` would choose by an install script: the program of one platform. */
const packageName = `node-${system}-${process.arch}`;

const folderOf = (version: string): string => path.join(root, "build", "engines", version);

/** Versions of other lines than the Node that runs, and where their programs are or would be. */
export const otherNodes: readonly { readonly version: string; readonly program: string }[] = versions
  .filter((version) => lineOf(version) !== lineOf(process.versions.node))
  .map((version) => ({
    version,
    program: path.join(
      ...[folderOf(version), "node_modules", packageName, "bin"],
      process.platform === "win32" ? "node.exe" : "node",
    ),
  }));

/** Installs those that are not there. */
export async function provideOtherNodes(out?: NodeJS.WritableStream): Promise<void> {
  const missing = otherNodes.filter(({ program }) => !fs.existsSync(program));
  if (missing.length === 0) return;
  const install = async ({ version }: (typeof missing)[number]): Promise<void> => {
    const folder = folderOf(version);
    fs.mkdirSync(folder, { recursive: true });
    // A package.json of its own, or npm would install into the checkout's.
    fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
    const what = [
      `${packageName}@${version}`,
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ];
    await promisify(execFile)("npm", ["install", ...what], {
      cwd: folder,
      shell: process.platform === "win32",
    });
  };
  const names = missing.map(({ version }) => version).join(", ");
  await step(
    `Installing Node ${names} for the tests of engines`,
    async () => {
      try {
        await Promise.all(missing.map(install));
      } catch (error) {
        throw new Complaint(
          `Cannot install other versions of Node: npm must have ${packageName}: ${String(error)}`,
        );
      }
    },
    out,
  );
}
