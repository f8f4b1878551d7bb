import { sweepCommand } from "../sweep/command/command";
import type { CommandContext } from "./contract";

/** `turnwise sweep`. */
export const run = (args: string[], { argv }: CommandContext): Promise<number> =>
  sweepCommand(args, { program: argv });
