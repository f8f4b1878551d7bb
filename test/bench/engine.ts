import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { otherNodes } from "../support/otherNodes.js";
import { root } from "../support/paths.js";

/**
 * The program of another line of Node, such as "24": that of `npm run nodes`, with native kernels compiled for it; undefined if
 * it is not there.
 */
export function engineProgram(line: string): string | undefined {
  const found = otherNodes.find(({ version }) => version.split(".")[0] === line);
  if (!found || !existsSync(found.program)) return undefined;
  const script = `require(${JSON.stringify(join(root, "kernel/bootstrap/native.cjs"))}).compileKernels(${JSON.stringify(root)})`;
  spawnSync(found.program, ["-e", script]);
  return found.program;
}
