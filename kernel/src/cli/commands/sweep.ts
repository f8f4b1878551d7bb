import { createRequire } from "node:module";
import path from "node:path";
import { forwarding } from "../command.js";

interface SweepModule {
  sweepCommand(args: string[], context: { program: readonly string[] }): Promise<number>;
}

// The library reads the options and prints the help.
export const sweep = forwarding({
  summary: "run a grid of settings and seeds, or write the job that runs it on Slurm or Kubernetes",
  run: async (args, { root }) => {
    const { requireLibrary, told } = await import("../library.js");
    const { sweepCommand } = requireLibrary(root, "turnwise/internal/sweep/command/command") as SweepModule;
    // The library asks for the compiler by this name where a plan names modules of TypeScript.
    const typescript = (): unknown => createRequire(__filename)("typescript");
    Object.defineProperty(globalThis, Symbol.for("turnwise.typescript"), { value: typescript });
    const turnwise = path.resolve(__dirname, "..", "..", "..", "bootstrap", "turnwise.cjs");
    return told(() => sweepCommand(args, { program: [process.execPath, turnwise] }));
  },
});
