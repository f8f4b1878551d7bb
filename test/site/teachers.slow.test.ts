/// <reference lib="dom" />
import assert from "node:assert/strict";
import path from "node:path";
import type { Page } from "playwright-core";
import { readCourse } from "turnwise-site/builder/course.cjs";
import { serve } from "turnwise-site/builder/serve.cjs";
import { writeTeachers } from "turnwise-site/builder/teachers.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { useBrowser } from "../support/sharedBrowser.js";

declare const deck: { getTotalSlides(): number; getIndices(): { h: number }; next(): void };

describe("the pages for teachers, clicked through", function () {
  this.timeout(patient(120_000));
  const course = readCourse(root);
  const [lesson] = course.lessons as [(typeof course.lessons)[number]];
  const servers: Awaited<ReturnType<typeof serve>>[] = [];
  const out = { teachers: "", students: "" };
  const addresses = { teachers: "", students: "" };

  before(async () => {
    for (const site of ["teachers", "students"] as const) {
      out[site] = path.join(temporaryFolder(), "site");
      // Any notebook stands for a solution: the pages only ask whether the site has them.
      const solutions = site === "teachers" ? course.exercises : [];
      await writeTeachers(root, root, { ...course, lessons: [lesson], solutions }, out[site]);
      const server = await serve(out[site], { port: 0 });
      servers.push(server);
      addresses[site] = `http://localhost:${String((server.address() as { port: number }).port)}/teachers/`;
    }
  });
  after(() => {
    for (const server of servers) server.close();
    removeTemporaryFolders();
  });

  const open = async (context: Mocha.Context, site: keyof typeof addresses): Promise<Page> => {
    const page = await (await (await useBrowser(context)).newContext()).newPage();
    await page.goto(addresses[site]);
    return page;
  };

  it("open the deck of a lesson, and one without answers", async function () {
    const page = await open(this, "students");
    const failed: string[] = [];
    page.on("pageerror", ({ message }) => failed.push(message));
    const slidesAt = async (link: string): Promise<string> => {
      await page.goto(addresses.students);
      await page.getByRole("link", { name: link, exact: true }).click();
      await page.waitForFunction(() => typeof deck !== "undefined" && deck.getTotalSlides() > 5);
      await page.evaluate(() => deck.next());
      await page.waitForFunction(() => deck.getIndices().h === 1);
      return page.evaluate(() => document.querySelector(".slides")!.textContent);
    };
    const [whole, without] = [await slidesAt("deck"), await slidesAt("without answers")];
    const { cell, options } = lesson.predictions[0]!;
    // The bold words below a prediction answer it.
    const [, answer] = /^\*\*(.+?)\*\*/m.exec(
      lesson.cells.slice(cell + 1).find(({ type }) => type === "markdown")!.source,
    )!;
    for (const text of [whole, without]) assert.ok(text.includes(options[0]!.text));
    assert.ok(whole.includes(answer!), answer);
    assert.ok(!without.includes(answer!), answer);
    assert.deepEqual(failed, []);
    await page.context().close();
  });

  it("show a vote sheet with every question of the lesson, and no key on a site for students", async function () {
    const page = await open(this, "students");
    await page.getByRole("link", { name: "vote sheet" }).click();
    const sheet = page.locator("#vote ~ .questions").first();
    await sheet.waitFor();
    assert.equal(await sheet.locator("> li").count(), lesson.predictions.length);
    assert.equal(await page.getByRole("switch").count(), 0);
    assert.equal(await page.getByText("Right: (").count(), 0);
    await page.context().close();
  });

  it("show keys and solutions while their switch is on, also after a way there and back", async function () {
    const page = await open(this, "teachers");
    await page.getByRole("link", { name: "exam", exact: true }).click();
    const answers = page.locator(".answers");
    const shown = (): Promise<number> => answers.filter({ visible: true }).count();
    const all = await answers.count();
    assert.ok(all > 2 * lesson.predictions.length, `${all} answers`);
    assert.equal(await shown(), 0, "a teacher may be projecting");
    await page.getByRole("switch").check();
    assert.equal(await shown(), all);
    await page.getByText(`Right: (${lesson.predictions[0]!.answer!})`).first().waitFor();
    await page.getByRole("link", { name: "For teachers" }).click();
    await page.getByRole("heading", { name: "For teachers" }).waitFor();
    await page.goBack();
    await page.getByRole("switch").waitFor();
    assert.equal(await shown(), (await page.getByRole("switch").isChecked()) ? all : 0);
    await page.getByRole("switch").uncheck();
    assert.equal(await shown(), 0);
    await page.context().close();
  });
});
