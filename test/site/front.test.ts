import assert from "node:assert/strict";
import { levelsOf, readCourse } from "turnwise-site/builder/course.cjs";
import { searchIndex } from "turnwise-site/builder/search.cjs";
import {
  continuation,
  progressOf,
  readChoices,
  readKept,
  type Kept,
  type Lesson,
} from "turnwise-site/internal/front/progress";
import { find } from "turnwise-site/internal/front/search";
import { root } from "../support/paths.js";

const lesson = (number: string, keys: readonly string[]): Lesson => ({
  name: `${number}-x`,
  number,
  title: `Lesson ${number}`,
  href: number,
  predictions: keys.map((key, i) => ({ key, section: String(i + 1) })),
});
const lessons = [lesson("00", ["a", "b"]), lesson("01", ["c"]), lesson("02", [])];
const none: Kept = { done: {} };

describe("the reader's progress", () => {
  it("counts predictions, and takes a lesson for done once all are made, unless the reader says otherwise", () => {
    const [first, , last] = lessons as [Lesson, Lesson, Lesson];
    assert.deepEqual(progressOf(first, none, { a: "b" }), { made: 1, of: 2, done: false, next: "2" });
    assert.equal(progressOf(first, none, { a: "b", b: "?" }).done, true);
    assert.equal(progressOf(first, { done: { "00-x": false } }, { a: "b", b: "a" }).done, false);
    assert.equal(progressOf(first, { done: { "00-x": true } }, {}).done, true);
    assert.equal(progressOf(last, none, {}).done, false, "without predictions, only the reader knows");
  });

  it("goes on with the lesson opened last, or with the next one that is not done", () => {
    const next = (kept: Kept, choices: object = {}): string | undefined =>
      continuation(lessons, kept, (one) => progressOf(one, kept, { ...choices }))?.number;
    assert.equal(next(none), undefined);
    assert.equal(next({ last: "01-x", done: {} }), "01");
    assert.equal(next({ last: "01-x", done: {} }, { c: "a" }), "02");
    assert.equal(next({ last: "02-x", done: { "02-x": true } }), "00", "what was left out comes last");
    assert.equal(next(none, { a: "a" }), "00", "a choice made before places were kept");
    assert.equal(next({ last: "99-gone", done: {} }), undefined);
    assert.equal(next({ done: { "00-x": true, "01-x": true, "02-x": true } }), undefined);
  });

  it("reads whatever the browser's storage holds", () => {
    for (const text of [
      null,
      "",
      "null",
      "3",
      '"x"',
      "[1]",
      "{",
      '{"done":3,"last":{}}',
      '{"done":{"a":"b"}}',
    ])
      assert.deepEqual(readKept(text), none, String(text));
    assert.deepEqual(readKept('{"last":"00-x","done":{"01-x":true}}'), {
      last: "00-x",
      done: { "01-x": true },
    });
    for (const text of [null, "null", "7", "{"]) assert.deepEqual(readChoices(text), {});
    assert.equal(progressOf(lesson("00", ["toString", "constructor"]), none, {}).made, 0);
    assert.equal(progressOf(lesson("00", ["a"]), none, { a: 3 }).made, 0);
  });
});

describe("the map of the course", () => {
  it("puts each lesson below those that it needs", () => {
    const { lessons: all } = readCourse(root);
    const levels = levelsOf(all);
    assert.equal(levels.size, all.length);
    for (const { number, before, minutes } of all) {
      assert.ok(minutes! > 0, number);
      for (const one of before) assert.ok(levels.get(one)! < levels.get(number)!, `${one} before ${number}`);
    }
    const level = (number: string): number | undefined =>
      levelsOf([
        { number: "00", before: [] },
        { number: "01", before: ["00"] },
        { number: "02", before: ["00", "01"] },
      ]).get(number);
    assert.deepEqual(["00", "01", "02"].map(level), [0, 1, 2]);
  });
});

describe("the search of the first page", () => {
  const views = { rules: { title: "The table of rules", text: "One field each." } };
  const index = searchIndex(readCourse(root), views);
  const titles = (query: string): string[] => find(index, query).map(([, title]) => title);

  it("finds headings, rules, words and metrics by their beginnings, all words together", () => {
    assert.equal(titles("three causes")[0], "4. Three causes");
    assert.equal(titles("causes three")[0], "4. Three causes");
    assert.match(titles("seeupo")[0]!, /SeeUPO/i);
    assert.equal(titles("reward/fracZeroStd")[0], "reward/fracZeroStd");
    assert.ok(titles("clip").includes("clip"), titles("clip").join());
    assert.equal(titles("table of rules")[0], "The table of rules");
    assert.deepEqual(titles("xyzzy grpo"), []);
    for (const query of ["", "  ", "()", "\\", "*"]) assert.deepEqual(titles(query), [], query);
  });

  it("leads everywhere within the site, and stays small", () => {
    for (const [kind, title, , href] of index) {
      assert.match(href, /^[a-z]+\/[^:]*$/, `${kind} ${title}`);
      assert.notEqual(title, "");
    }
    assert.ok(JSON.stringify(index).length < 150_000);
    assert.ok(index.some(([kind, , , href]) => kind === "rule" && href === "rules/grpo/"));
  });
});
