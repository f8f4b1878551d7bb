import { mergeCommand } from "../sweep/command/command";

/** `turnwise merge`. */
export const run = (args: string[]): number => mergeCommand(args);
