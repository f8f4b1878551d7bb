import { forwarding } from "../command.js";

interface SweepModule {
  mergeCommand(args: string[]): number;
}

// The library reads the options and prints the help.
export const merge = forwarding({
  summary: "join the results of the parts of a sweep; no job may be missing or there twice",
  run: async (args, { root }) => {
    const { requireLibrary, told } = await import("../library.js");
    const { mergeCommand } = requireLibrary(root, "dist/sweep/command/command.js") as SweepModule;
    return told(() => mergeCommand(args));
  },
});
