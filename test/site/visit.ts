/// <reference lib="dom" />
import fs from "node:fs";
import path from "node:path";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { showAnswers } from "../support/predictions.js";
import { newCell } from "../browser/newCell.js";
import type { BuiltSite } from "../support/builtSite.js";

/** Where the applications show a notebook, below the site's address. */
export const inNotebookApp = (notebook: string): string => `notebooks/index.html?path=${notebook}`;
export const inLab = (notebook: string): string => `lab/index.html?path=${notebook}`;

/** A page of the site, in whichever browser and application. */
export class Visit {
  /** Errors that the page has logged, and files that were not there. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly site: BuiltSite,
  ) {
    page.setDefaultTimeout(patient(60_000));
    const complain = (text: string): void => {
      // Firefox says so, without an address, of a load that the page's own reload on a first visit has cut off: mostly in its
      // console, and sometimes as a page's error.
      if (!text.startsWith("Failed to load ‘’. A ServiceWorker intercepted the request"))
        this.complaints.push(text);
    };
    page.on("console", (message) => {
      if (message.type() === "error") complain(message.text());
    });
    page.on("pageerror", ({ message }) => complain(message));
    page.on("requestfinished", (request) => {
      void request.response().then((response) => {
        if (response && response.status() >= 400)
          this.complaints.push(`${response.status()} ${response.url()}`);
      });
    });
  }

  static async open(browser: Browser, site: BuiltSite, o: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...o });
    return Visit.of(await context.newPage(), site);
  }

  private static async of(page: Page, site: BuiltSite): Promise<Visit> {
    await showAnswers(page);
    return new Visit(page, site);
  }

  /** Another page of the same reader. */
  static async beside({ page, site }: Visit): Promise<Visit> {
    return Visit.of(await page.context().newPage(), site);
  }

  /** Restarts the kernel by the button: what is run next waits for it. */
  async restart(): Promise<void> {
    await this.page.bringToFront();
    await this.page.locator('[data-jp-item-name="restart"] jp-button').first().click();
    await this.page.locator(".jp-Dialog .jp-mod-warn, .jp-Dialog .jp-mod-accept").last().click();
    await this.page.locator(".jp-Dialog").waitFor({ state: "detached" });
  }

  /** Opens an address below the site's and, of a notebook, waits until all cells are there and its kernel is idle. */
  async goto(below: string): Promise<void> {
    // On a first visit the page is loaded once more while it is being loaded: what counts is what it shows.
    await this.page.goto(this.site.address + below, { waitUntil: "commit" });
    const lesson = /^lessons\/(.*)\/$/.exec(below)?.[1];
    const notebook = lesson ? `notebooks/${lesson}.ipynb` : /path=(.*)/.exec(below)?.[1];
    if (notebook === undefined) return;
    const text = fs.readFileSync(path.join(root, notebook), "utf8");
    const { cells } = JSON.parse(text) as { cells: unknown[] };
    // Cells are added one after another: what is written before the last is there comes between them.
    await this.page
      .locator(".jp-Notebook .jp-Cell")
      .nth(cells.length - 1)
      .waitFor({ state: "attached" });
    await this.page.waitForFunction(
      () => document.querySelector(".jp-Notebook-ExecutionIndicator")?.getAttribute("data-status") === "idle",
      undefined,
      { polling: 100 },
    );
  }

  codeCell(index: number): Locator {
    return this.page.locator(".jp-Notebook .jp-CodeCell").nth(index);
  }

  /** Adds a cell at the end, runs it, and returns it. */
  async runNew(source: string): Promise<Locator> {
    const cell = await newCell(this.page, source);
    // By way of the editor, which gets the focus first if something else has taken it.
    await cell.locator(".cm-content").press("Control+Enter");
    return cell;
  }

  /** Waits until a cell shows such a text; if it does not come, the error says what the cell shows instead. */
  async says(cell: Locator, text: string | RegExp): Promise<void> {
    try {
      await cell.locator(".jp-OutputArea-output", { hasText: text }).first().waitFor();
    } catch (error) {
      const shown = (await cell.allInnerTexts()).join("\n");
      const status = await this.page
        .locator(".jp-Notebook-ExecutionIndicator")
        .first()
        .getAttribute("data-status");
      throw new Error(
        `the cell shows ${JSON.stringify(shown)}, its kernel is ${String(status)}, and the page complains of ` +
          `${JSON.stringify(this.complaints)}`,
        { cause: error },
      );
    }
  }

  running(cell: Locator): Promise<void> {
    return cell.locator(".jp-InputPrompt", { hasText: "[*]" }).first().waitFor();
  }

  button(name: "run" | "interrupt"): Locator {
    return this.page.locator(`[data-jp-item-name="${name}"] jp-button`).first();
  }

  /** Lines at the foot of the page. */
  notice(text: string | RegExp): Locator {
    return this.page.locator("#turnwise-notices > div", { hasText: text });
  }

  /** How far the page is wider than its window, in pixels. */
  overhang(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
