import { Complaint } from "turnwise/internal/command/contract";
import type { WatchLogOptions } from "../watch/watchLog";
import { codes } from "../watch/codes";
import { command } from "turnwise/internal/command/options";

export const run = command({
  about: `Follows a log as it is written, and prints a line for each step, and each alarm with its track record on runs whose
outcome is known. Reads JSONL, CSV and TensorBoard event files; the framework is recognized by its metric names. If the
step number goes back, another run begins or the run was resumed; --run chooses a run. Each alarm is reported once, and
counted. Exits with 3 if success has fallen, on any scale; 0 if it was checked and has not; 4 if that is unclear, a
trainer metric stays NaN, or nothing was learned; 1 if the log cannot be read.`,
  positionals: "<log>",
  options: {
    once: { type: "boolean", help: "read what is there, and do not wait for more" },
    "idle-timeout": {
      type: "string",
      former: "idle",
      value: "<seconds>",
      default: "600",
      help: "time to wait for the next line (default: 600)",
    },
    framework: { type: "string", value: "<name>", help: "framework that wrote the log (default: detected)" },
    map: {
      type: "string",
      multiple: true,
      value: "<name=metric>",
      help: "map a custom log name to a metric",
    },
    run: { type: "string", value: "<run>", help: "name or number of the run, if a log holds several" },
    optimum: {
      type: "string",
      value: "<reward>",
      help: "best possible mean reward (default: 1 if all rewards are from 0 to 1)",
    },
  },
  run: async ({ values, positionals }) => {
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) {
      throw new Complaint(
        `Cannot watch a log: give exactly one, got ${String(positionals.length)}.`,
        "See: turnwise watch --help",
      );
    }
    // Imported here, so that the help answers immediately.
    const { watchLog } = await import("../watch/watchLog.js");
    // Whoever reads the lines, such as head, may have had enough of them: a whole log is judged all the same.
    let isRead = true;
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      isRead = false;
      if (!values.once) process.exit(codes.unknown);
    });
    const { once, framework, map, run, optimum } = values;
    const names = Object.fromEntries(map.map((pair) => pair.split(/=(?=[^=]*$)/))) as Record<string, never>;
    return watchLog(file, {
      once,
      idleSeconds: Number(values["idle-timeout"]),
      ...(optimum !== undefined && { optimum: Number(optimum) }),
      // It refuses an unknown name itself.
      ...(framework !== undefined && { framework: framework as NonNullable<WatchLogOptions["framework"]> }),
      ...(map.length > 0 && { map: names }),
      ...(run !== undefined && { run }),
      write: (text: string) => isRead && process.stdout.write(text),
    });
  },
});
