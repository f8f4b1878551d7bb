import { forwarding } from "../command.js";

export const merge = forwarding({
  summary: "join the results of the parts of a sweep; no job may be missing or there twice",
  forwards: "<results.jsonl...> [--file <path>]",
  run: async (args, { root }) => {
    const { sweepCommands, told } = await import("../sweep-library.js");
    return told(() => sweepCommands(root).mergeCommand(args));
  },
});
