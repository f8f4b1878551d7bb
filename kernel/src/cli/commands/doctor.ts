import { statSync } from "node:fs";
import { replaceFile } from "../../../bootstrap/replace-file.cjs";
import { Complaint } from "../../../bootstrap/steps.cjs";
import { command } from "../command.js";

interface Page {
  readonly code: number;
  toString(): string;
  toHtml(): string;
  toJSON(): object;
}

interface PracticeModule {
  doctor(paths: readonly string[], o: object): Promise<Page>;
  compareRuns(a: string, b: string, o: object): Promise<Page>;
}

export const doctor = command({
  summary: "say what broke in a training run and what to change; without a path, what is installed",
  about: `With the folder of a run, or its log, configuration and rollouts: what happened, when, the likeliest causes with their
evidence, the setting to change, and what is not known. Logs as watch reads them, configurations as flags --read does.
Two folders are compared: the settings in which they differ, and where their curves part.
Ends with 3 if success fell, with 0 if that was checked and it did not, with 4 if it cannot be told, with 1 if nothing
can be read.
Without a path: what is installed, which tensor backend runs, and what to do about the rest.`,
  positionals: "[run ...]",
  options: {
    compare: { type: "boolean", help: "compare two files, as two folders are" },
    html: { type: "string", value: "<file>", help: "write the page to a file, for a browser" },
    json: { type: "boolean", help: "print the page as JSON" },
    framework: { type: "string", value: "<name>", help: "framework that wrote the log (default: detected)" },
    for: { type: "string", value: "<trainer>", help: "trainer of the configuration (default: detected)" },
    map: {
      type: "string",
      multiple: true,
      value: "<name=metric>",
      help: "map a custom log name to a metric",
    },
    run: { type: "string", value: "<number>", help: "which run, where a log holds several (default: all)" },
    optimum: {
      type: "string",
      value: "<reward>",
      help: "the best mean reward: 1, if all rewards are from 0 to 1",
    },
  },
  run: async ({ values, positionals }, { root }) => {
    if (positionals.length === 0) return installation(root);
    const { requireLibrary, told } = await import("../library.js");
    const { doctor: examine, compareRuns } = requireLibrary(
      root,
      "turnwise-practice/internal/doctor/index",
    ) as PracticeModule;
    const { compare, html, json, framework, map, run, optimum } = values;
    const names = Object.fromEntries(map.map((pair) => pair.split(/=(?=[^=]*$)/)));
    const options = {
      ...(framework !== undefined && { framework }),
      ...(values.for !== undefined && { for: values.for }),
      ...(map.length > 0 && { names }),
      ...(run !== undefined && { run }),
      ...(optimum !== undefined && { optimum: Number(optimum) }),
    };
    const [a, b, ...more] = positionals as [string, ...string[]];
    if (compare && (b === undefined || more.length > 0)) {
      throw new Complaint(
        `Cannot compare runs as there must be two: current number is ${String(positionals.length)}`,
        "See: turnwise doctor --help",
      );
    }
    const isFolder = (one: string): boolean =>
      statSync(one, { throwIfNoEntry: false })?.isDirectory() ?? false;
    return told(async () => {
      const areTwo = b !== undefined && more.length === 0 && (compare || (isFolder(a) && isFolder(b)));
      const page = areTwo ? await compareRuns(a, b, options) : await examine(positionals, options);
      process.stdout.write(`${json ? JSON.stringify(page, null, 2) : String(page)}\n`);
      if (html !== undefined) {
        replaceFile(html, page.toHtml());
        if (!json) process.stdout.write(`\nreport: ${html}\n`);
      }
      return page.code;
    });
  },
});

/** What is installed, and what to do about the rest. */
async function installation(root: string): Promise<number> {
  const { examine } = await import("../examine.js");
  const findings = await examine(root);
  for (const { state, text, advice } of findings) {
    process.stdout.write(`${state.padEnd(5)} ${text}\n${advice ? `      To fix it: ${advice}\n` : ""}`);
  }
  return findings.some(({ state }) => state === "bad") ? 1 : 0;
}
