import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/paths.js";

/** Where `install.ts` puts Deno. */
export const denoFolder: string = join(root, ".turnwise", "bench-deno");
export const denoPackage = "deno@2.9.6";

/**
 * The program: that of $TURNWISE_BENCH_DENO, of what `install.ts` brought, or of the path. npm puts a script before it, which
 * would take its signals and leave it behind: so it is asked where it is itself.
 */
export function denoProgram(): string | undefined {
  const installed = join(denoFolder, "node_modules", ".bin", "deno");
  for (const program of [
    process.env["TURNWISE_BENCH_DENO"],
    existsSync(installed) ? installed : "",
    "deno",
  ]) {
    if (program === undefined || program === "") continue;
    const { status, stdout } = spawnSync(program, ["eval", "console.log(Deno.execPath())"], {
      encoding: "utf8",
    });
    if (status === 0) return stdout.trim();
  }
  return undefined;
}
