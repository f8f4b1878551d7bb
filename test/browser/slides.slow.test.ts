/// <reference lib="dom" />
import assert from "node:assert/strict";
import fs from "node:fs";
import { turnwise } from "../support/command.js";
import { describeDecks, lessons, type Deck } from "./decks.js";

declare const deck: Deck;

/** One with drawings of an update, one with charts, and the longest; slides.matrix turns through the slides of all. */
const some = ["00-start-here", "05-off-policy-stability", "10-language-model"];

describeDecks("the decks of slides", some, ({ at, open }) => {
  it("are listed on a page, one for each lesson, and each can be opened from there", async () => {
    const { page, complaints } = await open("index.html");
    const links = await page.locator("li a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    assert.deepEqual(
      links,
      lessons.map((name) => `${name}.html`),
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it("open a presenter's window with the notes of the slide", async () => {
    const { page, complaints } = await open(`${lessons[0]!}.html`);
    await page.waitForFunction(() => deck.getTotalSlides() > 0);
    const notes = await page.evaluate(() =>
      document.querySelector("section.present .notes")!.textContent!.trim(),
    );
    assert.notEqual(notes, "");
    const opened = page.waitForEvent("popup");
    await page.keyboard.press("s");
    const presenter = await opened;
    await presenter.waitForFunction(
      (start) => document.querySelector(".speaker-controls-notes")?.textContent?.includes(start),
      notes.slice(0, 30),
    );
    // Both slides in it are pages of the deck itself.
    await presenter.waitForFunction(() => document.querySelectorAll("iframe").length === 2);
    assert.deepEqual(complaints, []);
    await presenter.close();
    await page.close();
  });

  it("wait at a prediction: the slide that answers comes with the second step, or after a choice", async () => {
    const { page, complaints } = await open(`${lessons[0]!}.html`);
    await page.waitForFunction(() => deck.getTotalSlides() > 0);
    const at = (): Promise<number> => page.evaluate(() => deck.getIndices().h);
    const asks = await page.evaluate(() =>
      [...document.querySelectorAll(".slides > section")].flatMap((slide, h) =>
        slide.querySelector(".choices") ? [h] : [],
      ),
    );
    const [first, second] = asks as [number, number];
    await page.evaluate((h) => deck.slide(h), first);
    const present = page.locator("section.present");
    await page.keyboard.press("ArrowRight");
    assert.equal(await at(), first);
    assert.equal(
      await present.locator(".fragment.visible").innerText(),
      "Hands up for each choice. The next slide answers.",
    );
    await page.keyboard.press("ArrowRight");
    assert.equal(await at(), first + 1);

    await page.evaluate((h) => deck.slide(h), second);
    const hands = present.locator("input");
    // The arrows are those of the field, and 12 of 16 hands fill three quarters of a choice.
    await hands.first().click();
    await page.keyboard.type("12");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("4");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await at(), second);
    const share = await present
      .locator("li")
      .first()
      .evaluate((one) => getComputedStyle(one).getPropertyValue("--share"));
    assert.equal(share, "0.75");
    await page.keyboard.press("Escape");
    await present.locator("button").first().focus();
    await page.keyboard.press("Space");
    assert.equal(await present.locator('[aria-pressed="true"]').count(), 1);
    assert.equal(await at(), second);
    await page.locator("body").press("ArrowRight");
    assert.equal(await at(), second + 1);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it("run no script of a notebook and load none of its pictures from elsewhere", async () => {
    const cell = {
      cell_type: "markdown",
      metadata: {},
      source: "# A lesson\n\n![far](http://127.0.0.1:9/far.png)",
    };
    const html = '<img src="http://127.0.0.1:9/a.png"><img src="x" onerror="document.title = \'ran\'">';
    const shown = {
      output_type: "display_data",
      metadata: {},
      data: { "text/html": `<table></table>${html}` },
    };
    const code = {
      cell_type: "code",
      metadata: {},
      source: "show()",
      execution_count: null,
      outputs: [shown],
    };
    fs.writeFileSync(
      at("hostile.ipynb"),
      JSON.stringify({ cells: [cell, code], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    );
    const { code: status, stderr } = await turnwise(["slides", at("hostile.ipynb"), "--out", at("slides")]);
    assert.equal(status, 0, stderr);
    const { page, complaints } = await open("hostile.html");
    const loaded: string[] = [];
    page.on("requestfinished", (request) => loaded.push(request.url()));
    await page.reload();
    await page.waitForFunction(() => deck.getTotalSlides() > 0);
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'ran'";
      document.body.append(script);
      deck.slide(1);
    });
    assert.equal(await page.title(), "A lesson");
    assert.ok(complaints.some((text) => text.includes("Content Security Policy")));
    assert.deepEqual(
      loaded.filter((url) => url.startsWith("http")),
      [],
    );
    await page.close();
  });
});
