import { Complaint } from "turnwise/internal/command/contract";
import { command } from "turnwise/internal/command/options";
import { replaceFile } from "turnwise/internal/base/host/files/replaceFile";
import type { DoctorOptions } from "../doctor";

export const run = command({
  about: `Reads the folder of a run, or its log, configuration and rollouts, and reports what happened, when, the likeliest
causes with their evidence, the setting to change, and what is not known. It reads the logs that watch reads and the
configurations that convert --from reads. Given two folders, it reports the settings in which they differ, and where
their curves part.
Exits with 3 if success fell, 0 if it was checked and did not, 4 if that is unclear, 1 if nothing can be read.`,
  positionals: "<run> ...",
  options: {
    compare: { type: "boolean", help: "compare two files, as with two folders" },
    html: { type: "string", value: "<file>", help: "write the report to a file, as a web page" },
    json: { type: "boolean", help: "print the report as JSON" },
    follow: {
      type: "boolean",
      help: "examine again whenever a file changes; ring the bell for each new alarm; Ctrl-C ends it",
    },
    "idle-timeout": {
      type: "string",
      value: "<seconds>",
      help: "with --follow, end after this long without a change (default: 600)",
    },
    framework: { type: "string", value: "<name>", help: "framework that wrote the log (default: detected)" },
    for: {
      type: "string",
      value: "<trainer>",
      help: "trainer that the configuration is for (default: detected)",
    },
    release: {
      type: "string",
      value: "<version>",
      help: "trainer release whose defaults to assume, such as 0.17 (default: the latest)",
    },
    map: {
      type: "string",
      multiple: true,
      value: "<name=metric>",
      help: "map a custom log name to a metric",
    },
    twin: {
      type: "boolean",
      help: "also train the rule in three small worlds (a minute)",
    },
    run: {
      type: "string",
      value: "<number>",
      help: "name or number of the run, if a log holds several (default: all)",
    },
    optimum: {
      type: "string",
      value: "<reward>",
      help: "best possible mean reward (default: 1 if all rewards are from 0 to 1)",
    },
  },
  run: async ({ values, positionals }) => {
    const { compare, html, json, framework, map, run: which, optimum, twin } = values;
    const [a, b, ...more] = positionals;
    if (a === undefined || (compare && (b === undefined || more.length > 0))) {
      throw new Complaint(
        `Cannot ${compare ? "compare runs: give exactly two" : "examine a run: give exactly one"}, got ${String(positionals.length)}.`,
        "See: turnwise diagnose --help",
      );
    }
    const idle = values["idle-timeout"];
    if (idle !== undefined && !values.follow)
      throw new RangeError("Cannot examine a run: --idle-timeout belongs to --follow, which is missing.");
    // Imported here, so that the help answers immediately.
    const { pageOf } = await import("../doctor/pageOf.js");
    const names = Object.fromEntries(map.map((pair) => pair.split(/=(?=[^=]*$)/))) as Record<string, never>;
    // The library refuses unknown names itself.
    const options = {
      ...(framework !== undefined && { framework }),
      ...(values.for !== undefined && { for: values.for }),
      ...(values.release !== undefined && { release: values.release }),
      ...(map.length > 0 && { map: names }),
      ...(which !== undefined && { run: which }),
      ...(twin && { twin }),
      ...(optimum !== undefined && { optimum: Number(optimum) }),
    } as DoctorOptions;
    if (values.follow) {
      if (compare) throw new RangeError("Cannot follow a run: --follow takes one run, and --compare two.");
      return followUntilInterrupted(positionals, options, {
        json,
        ...(html !== undefined && { html }),
        ...(idle !== undefined && { idleSeconds: Number(idle) }),
      });
    }
    const page = await pageOf(positionals, options, compare);
    process.stdout.write(`${json ? JSON.stringify(page, null, 2) : String(page)}\n`);
    if (html !== undefined) {
      replaceFile(html, page.toHtml());
      if (!json) process.stdout.write(`\nreport: ${html}\n`);
    }
    return page.code;
  },
});

interface FollowValues {
  readonly json: boolean;
  readonly html?: string;
  readonly idleSeconds?: number;
}

/** Prints the head of the page whenever it says something new, and the whole page at the end. */
async function followUntilInterrupted(
  targets: readonly string[],
  options: DoctorOptions,
  { json, html, ...how }: FollowValues,
): Promise<number> {
  const { followRun, headOf } = await import("../doctor/follow.js");
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  try {
    const page = await followRun(targets, options, {
      ...how,
      signal: ending.signal,
      onReport: (report, { alarms, last }) => {
        if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
        else if (last) process.stdout.write(`\n${String(report)}\n`);
        else {
          const rings = alarms.map((alarm) => `\u0007ALARM ${alarm}\n`);
          process.stdout.write(`\n${headOf(report)}\n${rings.join("")}`);
        }
        if (html !== undefined) replaceFile(html, report.toHtml());
      },
    });
    if (page !== undefined) return page.code;
    process.stderr.write(
      `Cannot examine a run: there must be a log, a configuration or rollouts in ${targets.join(", ")}, and none has come\n`,
    );
    return 1;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
  }
}
