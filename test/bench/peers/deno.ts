import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/paths.js";

/** Where `install.ts` puts Deno. */
export const denoFolder: string = join(root, ".turnwise", "bench-deno");
export const denoPackage = "deno@2.9.6";

/** The program: $TURNWISE_BENCH_DENO, the one that `install.ts` brought, or what is on the path. */
export function denoProgram(): string | undefined {
  const installed = join(denoFolder, "node_modules", ".bin", "deno");
  return [process.env["TURNWISE_BENCH_DENO"] ?? "", existsSync(installed) ? installed : "", "deno"].find(
    (program) => program !== "" && spawnSync(program, ["--version"]).status === 0,
  );
}
