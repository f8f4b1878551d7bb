/// <reference lib="dom.iterable" />
/// <reference lib="dom" />
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { root } from "../support/paths.js";
import { patient } from "../support/patient.js";
import { takesPictures } from "../support/pictures.js";
import type { Laboratory } from "../support/sharedLab.js";
import { newCell } from "./newCell.js";

/** A notebook open in JupyterLab, driven as a person drives it: menus, toolbar, keyboard. */
export class LabPage {
  private constructor(
    readonly page: Page,
    private readonly endKernel: () => Promise<void>,
  ) {}

  /** Opens a notebook and waits until its kernel is idle; a menu used earlier would ask for a kernel. */
  static async open(
    laboratory: Pick<Laboratory, "newPage" | "address" | "endKernel">,
    notebook: string,
  ): Promise<LabPage> {
    const lab = new LabPage(await laboratory.newPage(), () => laboratory.endKernel(notebook));
    try {
      await lab.page.goto(laboratory.address(notebook), { timeout: patient(60_000) });
      await lab.page.locator(".jp-LabShell").waitFor({ timeout: patient(60_000) });
      await lab.kernelIdle();
      return lab;
    } catch (error) {
      // What the page was doing says more than what was waited for.
      const file = path.join(root, "build", "screenshots", `not-opened-${path.basename(notebook)}.png`);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      await lab.page.screenshot({ path: file, timeout: 10_000 }).catch(() => undefined);
      // A server that has ended would say so here, instead of what came first.
      await lab.close().catch(() => undefined);
      throw error;
    }
  }

  /** Closes the page and ends the notebook's kernel, which would hold its memory until the last test. */
  async close(): Promise<void> {
    await this.page.close();
    await this.endKernel();
  }

  /** Loads the page again; the kernel runs on. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.kernelIdle();
  }

  private async kernelIdle(): Promise<void> {
    const kernel = this.page.locator(".jp-Toolbar-kernelName", { hasText: "TypeScript (turnwise)" });
    try {
      await kernel.waitFor();
    } catch (error) {
      const shown = await this.page
        .locator(".jp-Dialog, .jp-Toolbar-kernelName, .lm-TabBar-tabLabel")
        .allInnerTexts();
      throw new Error(`JupyterLab shows no turnwise kernel but: ${shown.join(" | ")}`, { cause: error });
    }
    await this.idle(90_000);
  }

  /** Saves the notebook and waits until nothing in it is unsaved. */
  async save(): Promise<void> {
    await this.page.locator(".jp-Notebook .jp-Cell").first().click();
    await this.page.keyboard.press("Control+s");
    await this.page.locator(".jp-mod-dirty").waitFor({ state: "detached" });
  }

  /** All cells in order, Markdown ones included. */
  get cells(): Locator {
    return this.page.locator(".jp-Notebook:not(.lm-mod-hidden) .jp-Cell");
  }

  /** The code cell whose source holds the text or matches the pattern. */
  codeCell(text: string | RegExp): Locator {
    return this.page
      .locator(".jp-Notebook:not(.lm-mod-hidden) .jp-CodeCell")
      .filter({ has: this.page.locator(".jp-InputArea-editor", { hasText: text }) })
      .first();
  }

  async menu(...path: string[]): Promise<void> {
    const [top, item] = path as [string, string];
    await this.page.locator(".lm-MenuBar-itemLabel", { hasText: new RegExp(`^${top}$`) }).click();
    await this.page.locator(".lm-Menu-itemLabel", { hasText: new RegExp(`^${item}$`) }).click();
  }

  /** Chooses a theme in the menu and waits until the page wears it. */
  async theme(name: "JupyterLab Light" | "JupyterLab Dark"): Promise<void> {
    await this.page.locator(".lm-MenuBar-itemLabel", { hasText: /^Settings$/ }).click();
    await this.page.locator(".lm-Menu-itemLabel", { hasText: /^Theme$/ }).hover();
    await this.page.locator(".lm-Menu-itemLabel", { hasText: new RegExp(`^${name}$`) }).click();
    await this.page.waitForFunction((theme) => document.body.dataset.jpThemeName === theme, name);
  }

  /** The least contrast (WCAG) of the texts below an element against the ground that they stand on, and the text. */
  leastContrast(below: Locator): Promise<{ contrast: number; text: string }> {
    return below.evaluate((top) => {
      const rgba = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
      const luminance = (rgb: number[]): number => {
        const [r, g, b] = rgb.map((x) => (x <= 10 ? x / 3294 : ((x / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
      };
      const groundOf = (element: Element | null): number[] => {
        for (let at = element; at; at = at.parentElement) {
          const [r, g, b, alpha = 1] = rgba(getComputedStyle(at).backgroundColor);
          if (b !== undefined && alpha > 0.5) return [r!, g!, b];
        }
        return [255, 255, 255];
      };
      let least = { contrast: 21, text: "" };
      for (const element of top.querySelectorAll("*")) {
        const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
        const text = own.map((node) => node.textContent?.trim()).join("");
        if (text === "" || element.closest("svg") || element.getClientRects().length === 0) continue;
        const pair = [rgba(getComputedStyle(element).color).slice(0, 3), groundOf(element)].map(luminance);
        const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
        if (contrast < least.contrast) least = { contrast, text };
      }
      return least;
    });
  }

  /** Runs all cells, as chosen in the menu, and waits until all have run or one has failed. */
  async runAll(timeout: number): Promise<void> {
    await this.clearAll();
    await this.menu("Run", "Run All Cells");
    await this.ran(timeout);
  }

  /** The same in a kernel that starts again. */
  async restartAndRunAll(timeout: number): Promise<void> {
    await this.clearAll();
    await this.menu("Kernel", "Restart Kernel and Run All Cells…");
    await this.page.locator(".jp-Dialog .jp-mod-warn, .jp-Dialog .jp-mod-accept").last().click();
    await this.ran(timeout);
  }

  /** Waits until each code cell shows the number of its run, or one an error; none may have shown either before. */
  private async ran(timeout: number): Promise<void> {
    await this.page.waitForFunction(
      () => {
        const cells = [...document.querySelectorAll(".jp-Notebook:not(.lm-mod-hidden) .jp-CodeCell")];
        const failed = cells.some((cell) => cell.querySelector('[data-mime-type*="jupyter.error"]'));
        const filled = cells.filter((cell) => cell.querySelector(".cm-content")?.textContent?.trim() !== "");
        const numbered = filled.every((cell) =>
          /\[\d+\]/.test(cell.querySelector(".jp-InputPrompt")?.textContent ?? ""),
        );
        return failed || numbered;
      },
      undefined,
      { timeout: patient(timeout), polling: 100 },
    );
    await this.idle(timeout);
  }

  /** Does what starts a cell, and waits until the page shows that it has started or ended. */
  private async starting(cell: Locator, start: () => Promise<void>): Promise<void> {
    // The element itself: behind the last cell a new one may come, which is then the last.
    const prompt = await cell.locator(".jp-InputPrompt").first().elementHandle();
    const before = await prompt!.innerText();
    await start();
    await this.page.waitForFunction(
      ([element, old]) => (element as HTMLElement).innerText !== old,
      [prompt, before] as const,
      { polling: 50 },
    );
  }

  /** Runs one cell with Shift+Enter, as typed in its editor. */
  async run(cell: Locator): Promise<void> {
    await cell.locator(".cm-content").click();
    await this.starting(cell, () => this.page.keyboard.press("Shift+Enter"));
  }

  /** Replaces a cell's source. */
  async edit(cell: Locator, source: string): Promise<void> {
    await cell.locator(".cm-content").click();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.press("Backspace");
    await this.page.keyboard.insertText(source);
  }

  /** Adds a code cell at the end and writes into it; the cursor stays behind the text. */
  writeNew(source: string): Promise<Locator> {
    return newCell(this.page, source);
  }

  /** Adds a code cell at the end, writes into it and runs it. */
  async runNew(source: string): Promise<Locator> {
    const cell = await this.writeNew(source);
    await this.starting(cell, () => this.page.keyboard.press("Control+Enter"));
    return cell;
  }

  async source(cell: Locator): Promise<string> {
    return (await cell.locator(".cm-line").allInnerTexts()).join("\n");
  }

  /** Waits until no cell runs or waits and the kernel says idle. */
  async idle(timeout: number): Promise<void> {
    await this.page.waitForFunction(
      () => {
        const status = document.querySelector(".jp-Notebook-ExecutionIndicator")?.getAttribute("data-status");
        const waiting = [...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")].some((prompt) =>
          prompt.textContent?.includes("[*]"),
        );
        return status === "idle" && !waiting;
      },
      undefined,
      { timeout: patient(timeout), polling: 100 },
    );
  }

  /** Waits until a cell shows that it is running. */
  async running(cell: Locator): Promise<void> {
    await cell.locator(".jp-InputPrompt", { hasText: "[*]" }).waitFor();
  }

  /** Drags a slider's handle to the right by a share of its track, as the mouse does. */
  async drag(handle: Locator, share: number): Promise<void> {
    const track = handle.locator("xpath=../..");
    await track.scrollIntoViewIfNeeded();
    const [from, along] = [(await handle.boundingBox())!, (await track.boundingBox())!];
    const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + (share / 2) * along.width, y, { steps: 6 });
    await this.page.mouse.move(x + share * along.width, y, { steps: 6 });
    await this.page.mouse.up();
  }

  async interrupt(): Promise<void> {
    await this.page
      .locator('[data-jp-item-name="interrupt"] jp-button, [data-jp-item-name="interrupt"] button')
      .first()
      .click();
  }

  /** The text of every error shown. */
  errors(): Promise<string[]> {
    return this.page
      .locator(
        '[data-mime-type="application/vnd.jupyter.error"], [data-mime-type="application/vnd.jupyter.stderr"]',
      )
      .allInnerTexts();
  }

  clearAll(): Promise<void> {
    return this.menu("Edit", "Clear Outputs of All Cells");
  }

  /** Takes a picture for a person to look at, when pictures are asked for. */
  async screenshot(file: string): Promise<void> {
    if (!takesPictures) return;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    // What fades or slides has ended by then.
    await this.page.waitForTimeout(600);
    await this.page.screenshot({ path: file });
  }

  /** Waits until what a cell shows matches: JupyterLab may draw an output after the kernel has said that it is idle. */
  async says(cell: Locator, pattern: RegExp): Promise<void> {
    for (const end = Date.now() + patient(15_000); ; await this.page.waitForTimeout(50)) {
      const text = await this.output(cell);
      if (Date.now() > end) assert.match(text, pattern);
      if (pattern.test(text)) return;
    }
  }

  /** Waits until the page holds a chart of each description; they are drawn after the kernel is idle. */
  async charts(titles: readonly string[]): Promise<void> {
    const chart = (title: string): Locator =>
      this.page.locator(`.vega-embed [aria-label^=${JSON.stringify(title)}]`).first();
    await Promise.all(titles.map((title) => chart(title).waitFor({ state: "attached" })));
  }

  /** Text of everything that a cell shows. */
  async output(cell: Locator): Promise<string> {
    return (await cell.locator(".jp-OutputArea-output").allInnerTexts()).join("\n");
  }
}
