import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { solutions } from "../support/courseFiles.js";
import { root } from "../support/paths.js";

const folder = path.join(root, "notebooks");
const read = (name: string): string => fs.readFileSync(path.join(folder, name), "utf8");
const namesIn = (name: string, ending: string): string[] =>
  fs
    .readdirSync(path.join(folder, name))
    .filter((one) => one.endsWith(ending))
    .map((one) => one.slice(0, -ending.length))
    .sort();

/** The number of the lesson to which a notebook belongs. */
const lessonOf = (name: string): string => name.slice(0, 2);

describe("the syllabus", () => {
  const course = read("README.md");
  const exercises = read("exercises/README.md");
  const lessons = namesIn(".", ".ipynb");
  const rows = [...exercises.matchAll(/^\| \[[\w-]+\]\(([\w-]+)\.ipynb\) .*\| (\d\d) +\| (\d+) +\|$/gm)];

  for (const name of ["README.md", "exercises/README.md"]) {
    it(`notebooks/${name} links to files that exist`, () => {
      const links = [...read(name).matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1]!);
      for (const link of links) assert.ok(fs.existsSync(path.join(folder, path.dirname(name), link)), link);
    });
  }

  it("lists every lesson in the order in which it is read, then every page of the appendix", () => {
    const listed = [...course.matchAll(/^\| \[[\w/-]+\]\(([\w/-]+)\.ipynb\)/gm)].map((match) => match[1]!);
    const appendix = namesIn("appendix", ".ipynb").map((name) => `appendix/${name}`);
    assert.deepEqual(listed, [...lessons, ...appendix]);
  });

  it("gives the README of the repository the number of lessons, the shortest and the longest", () => {
    const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
    const minutes = [...course.matchAll(/^\| \[\d\d-[\w-]+\].*?\| (\d+) +\|/gm)].map((match) =>
      Number(match[1]),
    );
    const told = /twelve lessons of (\d+) to (\d+) minutes/.exec(readme)!.slice(1).map(Number);
    assert.equal(minutes.length, 12);
    assert.deepEqual(told, [Math.min(...minutes), Math.max(...minutes)]);
  });

  it("lists every exercise with its lesson and its minutes, and their sum", () => {
    assert.deepEqual(
      rows.map(([, one]) => one!),
      namesIn("exercises", ".ipynb"),
    );
    for (const [, name, lesson] of rows) assert.equal(lesson, lessonOf(name!), name);
    const total = rows.reduce((sum, [, , , minutes]) => sum + Number(minutes), 0);
    assert.match(course, new RegExp(`\\(exercises/README\\.md\\) +\\| ${String(total)} `));
  });

  it("has one or two exercises for each lesson, each with its solution", () => {
    for (const lesson of lessons) {
      const own = rows.filter(([, name]) => lessonOf(name!) === lessonOf(lesson));
      assert.ok(own.length === 1 || own.length === 2, `${lesson} has ${String(own.length)} exercises`);
    }
    assert.deepEqual([...solutions.keys()], namesIn("exercises", ".ipynb"));
  });

  it("keeps solutions and teacher's notes out of the folder that JupyterLab opens", () => {
    const below = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const name of below) {
      assert.doesNotMatch(name, /solution|teacher/i);
      if (/\.(ipynb|md)$/.test(name)) assert.doesNotMatch(read(name), /BEGIN SOLUTION/, name);
    }
  });

  it("has a page of the appendix for no lesson that does not exist", () => {
    const pages = namesIn("appendix", ".ipynb").filter((name) => /^\d\d-/.test(name));
    for (const page of pages)
      assert.ok(
        lessons.some((lesson) => lessonOf(lesson) === lessonOf(page)),
        page,
      );
  });
});
