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
    const { sweepCommand } = requireLibrary(root, "dist/sweep/command/command.js") as SweepModule;
    const turnwise = path.resolve(__dirname, "..", "..", "..", "bootstrap", "turnwise.cjs");
    return told(() => sweepCommand(args, { program: [process.execPath, turnwise] }));
  },
});
