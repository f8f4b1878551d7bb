import path from "node:path";
import { forwarding } from "../command.js";

export const sweep = forwarding({
  summary: "run a grid of settings and seeds, or write the job that runs it on Slurm or Kubernetes",
  forwards: "<plan.json> [options]",
  run: async (args, { root }) => {
    const { sweepCommands, told } = await import("../sweep-library.js");
    const program = [
      process.execPath,
      path.resolve(__dirname, "..", "..", "..", "bootstrap", "turnwise.cjs"),
    ];
    return told(() => sweepCommands(root).sweepCommand(args, { program }));
  },
});
