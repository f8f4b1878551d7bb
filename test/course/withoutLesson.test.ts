import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { root } from "../support/paths.js";

const sources = path.join(root, "lib", "course", "src");
const lesson = /^\d\d-[^/]+/;

/** A source file of the course below `src`, and those that it imports. */
const files = fs
  .readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => {
    const file = name.split(path.sep).join("/");
    const text = fs.readFileSync(path.join(sources, name), "utf8");
    const imported = ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName));
    return { file, text, imported };
  });

/** The files that import a lesson from outside of its folder, and which lessons. */
const users = Object.fromEntries(
  files
    .map(({ file, imported }) => {
      const lessons = imported.flatMap((name) => lesson.exec(name)?.[0] ?? []);
      return [file, [...new Set(lessons)].filter((one) => !file.startsWith(`${one}/`)).sort()] as const;
    })
    .filter(([, lessons]) => lessons.length > 0),
);

// A module that is gone breaks those that import it, and what it declares for all modules would break more: compiling shows
// no more than these two, and takes 46 seconds.
describe("a deleted lesson", () => {
  it("breaks only the files that list the lessons, whichever lessons are deleted", () => {
    // CONTRIBUTING.md names them.
    const lists = ["claims.ts", "exercise/checkExercise.ts", "exercise/index.ts", "jobs.ts"];
    assert.deepEqual(Object.keys(users).sort(), lists);
  });

  it("leaves nothing missing that it had declared for all modules", () => {
    const declaring = files.filter(
      ({ file, text }) => lesson.test(file) && /\bdeclare (global|module)\b/.test(text),
    );
    assert.deepEqual(
      declaring.map(({ file }) => file),
      [],
    );
  });

  it("is seen in the lists that name it", () => {
    const all = fs.readdirSync(sources).filter((name) => lesson.test(name));
    assert.ok(all.length >= 12, all.join());
    for (const one of all)
      assert.ok(
        Object.values(users).some((lessons) => lessons.includes(one)),
        `no list names ${one}`,
      );
  });
});
