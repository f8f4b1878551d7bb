/// <reference lib="dom" />
// Uses internals of turnwise-kernel/poll.
import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import { Poll, type Question } from "turnwise-kernel/internal/poll/poll";
import { urlOf } from "turnwise-kernel/internal/poll/addresses";
import { questionsOf } from "turnwise-kernel/internal/poll/questions";
import { servePoll, type PollServer } from "turnwise-kernel/internal/poll/server";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { useBrowser } from "../support/sharedBrowser.js";

describe("a vote in class, clicked through", function () {
  this.timeout(patient(60_000));
  let questions: Question[] = [];
  let server: PollServer;
  let address = "";
  const complaints: string[] = [];
  const open: Page[] = [];

  before(() => {
    questions = questionsOf(["00"], { root });
  });
  beforeEach(async () => {
    const at = (port: number): string => urlOf("127.0.0.1", port);
    server = await servePoll(new Poll(questions), {
      host: "127.0.0.1",
      port: 0,
      joining: (port) => ({ address: at(port), code: undefined }),
    });
    address = at(server.port);
    complaints.length = 0;
  });
  afterEach(async () => {
    // First the pages: one that has lost its server tries again, and says so.
    for (const page of open.splice(0)) await page.context().close();
    await server.close();
  });

  const visit = async (
    context: Mocha.Context,
    below: string,
    o: BrowserContextOptions = {},
  ): Promise<Page> => {
    const page = await (await (await useBrowser(context)).newContext(o)).newPage();
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", ({ message }) => complaints.push(message));
    await page.goto(address + below);
    open.push(page);
    return page;
  };
  const phone = { viewport: { width: 390, height: 844 } };
  const says = (page: Page, text: string): Promise<void> =>
    page.getByRole("status").filter({ hasText: text }).waitFor();

  it("counts votes on the teacher's screen as they arrive, and shows what was chosen once the teacher does", async function () {
    const teacher = await visit(this, server.presenterPath);
    const [ada, ben] = [await visit(this, "", phone), await visit(this, "", phone)];
    await says(teacher, "0 votes");
    assert.equal(await teacher.locator(".bar").count(), 0, "no result before it is shown");

    await ada.getByRole("button", { name: "(b)" }).click();
    await says(ada, "You chose (b). You can change it");
    await says(teacher, "1 vote");
    await ben.getByRole("button", { name: "(c)" }).click();
    await says(teacher, "2 votes");
    await ada.getByRole("button", { name: "(a)" }).click();
    await says(ada, "You chose (a)");

    await teacher.getByRole("button", { name: "Show the results" }).click();
    await teacher.locator(".bar").first().waitFor();
    assert.deepEqual(await teacher.locator(".count").allInnerTexts(), ["1 (50%)", "0 (0%)", "1 (50%)"]);
    await says(ada, "You chose (a). Look at the screen in front.");
    assert.equal(await ada.getByRole("button", { name: "(b)" }).isDisabled(), true);

    await teacher.getByRole("button", { name: "Mark the right answer" }).click();
    const right = await teacher.locator(".choice.right").innerText();
    assert.match(right, new RegExp(`^\\(${questions[0]!.answer!}\\) .*✓ right`));
    assert.deepEqual(complaints, []);
  });

  it("takes the students along to the next question, where nobody has voted", async function () {
    const teacher = await visit(this, server.presenterPath);
    const ada = await visit(this, "", phone);
    await ada.getByRole("button", { name: "(b)" }).click();
    await says(teacher, "1 vote");
    await teacher.keyboard.press("ArrowRight");
    const second = `Question 2 of ${questions.length}`;
    await ada.getByText(second).waitFor();
    await teacher.getByText(second).waitFor();
    await says(teacher, "0 votes");
    await says(ada, "Choose one. Nobody sees who chose what.");
    assert.equal(await ada.locator('[aria-pressed="true"]').count(), 0);
    assert.deepEqual(complaints, []);
  });

  it("fits the screen of a phone", async function () {
    const ada = await visit(this, "", phone);
    const width = await ada.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
  });
});
