/// <reference lib="dom" />
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { pathsOfSuite, turnwise } from "../support/command.js";
import { root } from "../support/paths.js";
import { takesPictures } from "../support/pictures.js";
import { useBrowser } from "../support/sharedBrowser.js";

const seen = path.join(root, "build", "screenshots", "slides");
export const lessons: readonly string[] = fs
  .readdirSync(path.join(root, "notebooks"))
  .filter((name) => /^\d\d-.*\.ipynb$/.test(name))
  .map((name) => name.replace(/\.ipynb$/, ""))
  .sort();

export interface Deck {
  slide(n: number): void;
  getTotalSlides(): number;
  getIndices(): { h: number };
}
declare const deck: Deck;

/** What one slide shows once it is turned to. */
interface Shown {
  readonly pictures: readonly {
    readonly loaded: boolean;
    readonly height: number;
    readonly inside: boolean;
  }[];
  readonly text: string;
  readonly bottom: number;
  readonly notes: string;
}

/** The decks of all lessons in a folder of their own, and a browser that opens them. */
export interface Decks {
  /** The path of a file in the folder. */
  at(file: string): string;
  /** A page at a file, what it complained about, and what it asked the network for. */
  open(file: string): Promise<{ page: Page; complaints: string[]; outside: string[] }>;
}

/** Declares the tests of some lessons' decks, and `more` of all. */
export function describeDecks(
  title: string,
  some: readonly string[],
  more: (decks: Decks) => void = () => undefined,
): void {
  describe(title, function () {
    this.timeout(180_000);
    this.slow(60_000);
    const at = pathsOfSuite();
    let browser: Browser;

    before(async function () {
      browser = await useBrowser(this);
      const { code, stdout, stderr } = await turnwise(["slides", "--out", at("slides")]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /index\.html in a browser\n$/);
      if (takesPictures) fs.rmSync(seen, { recursive: true, force: true });
    });

    async function open(file: string): Promise<{ page: Page; complaints: string[]; outside: string[] }> {
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
      const [complaints, outside] = [[] as string[], [] as string[]];
      page.on("console", (message) => message.type() !== "log" && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("request", (request) => !/^(?:file|data):/.test(request.url()) && outside.push(request.url()));
      await page.goto(pathToFileURL(at(`slides/${file}`)).href);
      return { page, complaints, outside };
    }

    /** What the slides of a deck show, one after another. */
    const shownBy = (page: Page, total: number): Promise<Shown[]> =>
      page.evaluate(async (count) => {
        await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
        const box = (element: Element): DOMRect => element.getBoundingClientRect();
        const slides: Shown[] = [];
        for (let h = 0; h < count; h++) {
          deck.slide(h);
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const slide = document.querySelector("section.present")!;
          const pictures = [...slide.querySelectorAll("img")];
          await Promise.all(pictures.map((image) => image.decode().catch(() => undefined)));
          slides.push({
            pictures: pictures.map((image) => ({
              loaded: image.naturalWidth > 0,
              height: box(image).height,
              inside: box(image).right <= innerWidth && box(image).bottom <= innerHeight,
            })),
            text: (slide.querySelector(".content") as HTMLElement).innerText,
            bottom: box(slide.querySelector(".content")!).bottom,
            notes: slide.querySelector(".notes")?.textContent ?? "",
          });
        }
        return slides;
      }, total);

    /** A picture of each slide, to be looked at. */
    async function shoot(page: Page, name: string, total: number): Promise<void> {
      fs.mkdirSync(seen, { recursive: true });
      for (let n = 0; n < total; n++) {
        await page.evaluate((h) => deck.slide(h), n);
        await page.screenshot({ path: path.join(seen, `${name}-${String(n + 1).padStart(2, "0")}.png`) });
      }
    }

    for (const name of some) {
      it(`${name}: every slide fits, its figures are large, and nothing comes from the network`, async () => {
        const { page, complaints, outside } = await open(`${name}.html`);
        await page.waitForFunction(() => deck.getTotalSlides() > 0);
        const total = await page.evaluate(() => deck.getTotalSlides());
        assert.ok(total >= 8, `${String(total)} slides`);
        let figures = 0;
        let notes = 0;
        for (const [n, slide] of (await shownBy(page, total)).entries()) {
          const where = `slide ${String(n + 1)}: ${slide.text.slice(0, 60)}`;
          figures += slide.pictures.length;
          if (slide.notes.trim() !== "") notes++;
          assert.ok(slide.text.trim() !== "" || slide.pictures.length > 0, `${where} is empty`);
          assert.ok(slide.bottom <= 720, `${where} ends at ${String(slide.bottom)} px`);
          for (const { loaded, height, inside } of slide.pictures)
            assert.ok(loaded && height >= 100 && inside, `${where}: a picture of ${String(height)} px`);
        }
        if (takesPictures) await shoot(page, name, total);
        assert.ok(figures >= 2, `${String(figures)} figures`);
        assert.ok(notes >= total / 2, `${String(notes)} of ${String(total)} slides have notes`);
        assert.deepEqual(complaints, []);
        assert.deepEqual(outside, []);
        await page.close();
      });
    }

    more({ at, open });
  });
}
