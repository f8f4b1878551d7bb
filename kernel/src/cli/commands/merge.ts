import { forwarding } from "../command.js";

interface SweepModule {
  mergeCommand(args: string[]): number;
}

// The library reads the options and prints the help.
export const merge = forwarding({
  summary: "join the results of the parts of a sweep; each job must be there exactly once",
  run: async (args, { root }) => {
    const { requireLibrary, told } = await import("../library.js");
    const { mergeCommand } = requireLibrary(root, "turnwise/internal/sweep/command/command") as SweepModule;
    return told(() => mergeCommand(args));
  },
});
