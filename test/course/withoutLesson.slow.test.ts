import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { root } from "../support/paths.js";

const sources = path.join(root, "lib", "course", "src");
const lessons = fs.readdirSync(sources).filter((name) => /^\d\d-/.test(name));

/** The files of the course, below `src`, that no longer compile without these lessons, and the modules that they miss. */
function brokenWithout(removed: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const config = path.join(root, "lib", "course", "tsconfig.json");
  const parsed = ts.getParsedCommandLineOfConfigFile(
    config,
    { noEmit: true, composite: false, incremental: false },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
      },
    },
  )!;
  const { tsBuildInfoFile: _, ...options } = parsed.options;
  const isGone = (file: string): boolean => {
    const [folder] = path.relative(sources, file).split(path.sep);
    return removed.includes(folder!);
  };
  const host = ts.createCompilerHost(options);
  const onDisk = host.fileExists.bind(host);
  host.fileExists = (file) => !isGone(file) && onDisk(file);
  const program = ts.createProgram({
    rootNames: parsed.fileNames.filter((file) => !isGone(file)),
    options,
    projectReferences: parsed.projectReferences,
    host,
  });
  const broken: Record<string, string[]> = {};
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const message = ts.flattenDiagnosticMessageText(messageText, "\n");
    const name = file === undefined ? "?" : path.relative(sources, file.fileName).split(path.sep).join("/");
    (broken[name] ??= []).push(/^Cannot find module '([^']+)'/.exec(message)?.[1] ?? message);
  }
  return broken;
}

/** The files that list the lessons; CONTRIBUTING.md names them. */
const lists = ["claims.ts", "exercise/checkExercise.ts", "exercise/index.ts", "jobs.ts"];

describe("a deleted lesson", function () {
  this.timeout(300_000);

  it("breaks only the files that list the lessons, whichever lessons are deleted", () => {
    const broken = brokenWithout(lessons);
    assert.deepEqual(Object.keys(broken).sort(), lists);
    for (const missing of Object.values(broken).flat()) assert.match(missing, /^\.{1,2}\/\d\d-/);
  });

  it("leaves every other lesson compiling", () => {
    assert.deepEqual(brokenWithout(["04-echo-trap"]), {
      "claims.ts": ["./04-echo-trap/lesson"],
      "exercise/checkExercise.ts": ["../04-echo-trap/exercise/echoTrap"],
      "exercise/index.ts": ["../04-echo-trap/exercise/echoTrap"],
      "jobs.ts": ["./04-echo-trap/alarms/alarmRun", "./04-echo-trap/echoTrapRun", "./04-echo-trap/ragenRun"],
    });
  });
});
