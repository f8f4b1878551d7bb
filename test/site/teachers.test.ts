import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readCourse } from "turnwise-site/builder/course.cjs";
import { writeTeachers } from "turnwise-site/builder/teachers.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";

describe("the pages for teachers", () => {
  const course = readCourse(root);
  const pages = async (withAnswers: boolean): Promise<(name: string) => string> => {
    const out = temporaryFolder();
    // Any notebook stands for a solution: the pages only ask whether the site has them.
    const solutions = withAnswers ? course.exercises : [];
    await writeTeachers(root, root, { ...course, solutions }, out, { decks: false });
    return (name) => fs.readFileSync(path.join(out, "teachers", name, "index.html"), "utf8");
  };
  after(removeTemporaryFolders);

  it("hold no answer, no key and no notes in a site for students", async () => {
    const read = await pages(false);
    for (const { name, number } of course.lessons) {
      const page = read(name);
      assert.doesNotMatch(page, /class="answers"|Right: \(|Questions students ask|Misconceptions/, name);
      assert.match(page, new RegExp(`npx turnwise poll ${number}`));
    }
    assert.match(read(""), /--with-solutions/);
  });

  it("hide answers behind a switch in a site for teachers, and key every question", async () => {
    const read = await pages(true);
    for (const { name, predictions } of course.lessons) {
      const page = read(name);
      assert.match(page, /role="switch"/);
      assert.doesNotMatch(page, /<div class="answers">/, "hidden at first");
      assert.match(page, /Questions students ask/);
      assert.doesNotMatch(
        page.slice(page.indexOf('id="exam"')),
        /&lt;details|<p>\([a-h]\) <\/p>/,
        "a reason",
      );
      const keys = [...page.matchAll(/Right: \(([a-h])\)/g)].map(([, letter]) => letter);
      assert.deepEqual(
        keys,
        predictions.map(({ answer }) => answer),
        name,
      );
    }
  });

  it("ask each prediction again in the exam, with the right choice under another order's letter", async () => {
    const page = (await pages(true))("00-start-here");
    const exam = page.slice(page.indexOf('id="exam"'));
    // In the lesson: (a) nearly all, which is right.
    const [, choices, right] =
      /does the agent get after[^]*?<ol class="choices">([^]*?)<\/ol><div class="answers" hidden><p>\(([a-h])\) Nearly all/i.exec(
        exam,
      )!;
    assert.match(choices!, new RegExp(`\\(${right!}\\) nearly all`));
    for (const choice of ["about half", "about nothing"]) assert.ok(choices!.includes(choice));
  });

  it("name with each question the section whose figure or run it speaks of", async () => {
    const read = await pages(false);
    for (const { name, predictions, headings } of course.lessons) {
      const page = read(name);
      const named = [...page.matchAll(/<li><p class="small">Section (\d+)\. /g)].map(
        ([, section]) => section,
      );
      const sections = predictions.flatMap(({ section }) => (section === undefined ? [] : [section]));
      // Once in the vote sheet, once in the exam.
      const wanted = sections.filter((section) => headings.some((one) => one.startsWith(`${section}. `)));
      assert.deepEqual(named, [...wanted, ...wanted], name);
    }
  });

  it("give the minutes of the syllabus, and those of the teacher's notes for a class", async () => {
    const index = (await pages(false))("");
    for (const { name, minutes } of course.lessons) {
      const notes = fs.readFileSync(path.join(root, "lib/course/src", name, "teacher.md"), "utf8");
      const [, reading, inClass] = /^\| all +\| (\d+) +\| (\d+) +\|$/m.exec(notes)!;
      assert.equal(Number(reading), minutes, name);
      assert.match(
        index,
        new RegExp(`${name}/">[^\\n]*<td[^>]*>${reading!} min</td><td[^>]*>${inClass!} min</td>`),
      );
    }
  });
});
