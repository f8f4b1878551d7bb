/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { patient } from "../support/patient.js";
import type { Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

/** A playground on a page, used as a person uses it. */
export class Panel {
  readonly cell: Locator;
  /** Its controls and what is beside them; not the picture that is stored for later. */
  readonly live: Locator;

  private constructor(
    readonly lab: LabPage,
    text: string,
  ) {
    this.cell = lab.codeCell(text);
    this.live = this.cell.locator('[class*="turnwise-live-"]');
  }

  /** Opens a notebook whose first cell is the code of a playground, and runs it. */
  static async open(laboratory: Laboratory, name: string, code: string): Promise<Panel> {
    const panel = new Panel(await LabPage.open(laboratory, laboratory.write(name, [code])), "playground({");
    await panel.lab.run(panel.cell);
    return panel.ready();
  }

  /** Runs the code of a playground in a new cell of a notebook; some text of it must be in no other cell. */
  static async add(lab: LabPage, code: string, text: string): Promise<Panel> {
    await lab.runNew(code);
    return new Panel(lab, text).ready();
  }

  private async ready(): Promise<this> {
    await this.button("run").waitFor();
    await this.says(/paused: .* update \d+ of/);
    assert.deepEqual(await this.lab.errors(), []);
    return this;
  }

  get page(): Page {
    return this.lab.page;
  }

  button(name: string): Locator {
    return this.live.getByRole("button", { name, exact: true });
  }

  handle(name: string): Locator {
    const label = this.page.locator(".widget-label", { hasText: new RegExp(`^${name}$`) });
    return this.cell.locator(".widget-inline-hbox").filter({ has: label }).locator(".noUi-handle");
  }

  menu(name: string): Locator {
    return this.live.getByRole("combobox", { name, exact: true });
  }

  /** The line of code that opens this run, once it says what is wanted: it is drawn after the text above it. */
  code(wanted: RegExp): Promise<string> {
    const line = this.live.getByRole("textbox", { name: /as a line of code/ });
    return this.until(
      (code) => wanted.test(code) && code,
      undefined,
      () => line.inputValue(),
    );
  }

  /** What it shows: its text, and the description of its curve as a screen reader reads it. */
  shown(): Promise<string> {
    // Read in one go: it is drawn again several times a second.
    return this.cell.evaluate((cell) => {
      const live = cell.querySelector('[class*="turnwise-live-"]');
      const curve = live?.querySelector('svg[aria-label^="Live learning curve"]');
      return `${live?.textContent ?? ""}\n${curve?.getAttribute("aria-label") ?? ""}`;
    });
  }

  /** Waits until the cell shows what is wanted, and returns what was found. */
  async until<T>(
    find: (shown: string) => T | undefined | false | null,
    patience = 120_000,
    read = (): Promise<string> => this.shown(),
  ): Promise<T> {
    const end = Date.now() + patient(patience);
    let shown = "";
    while (Date.now() < end) {
      shown = await read();
      const found = find(shown);
      if (found) return found;
      await this.page.waitForTimeout(100);
    }
    return assert.fail(`the cell shows: ${shown}`);
  }

  says(words: RegExp): Promise<RegExpExecArray> {
    return this.until((shown) => words.exec(shown));
  }

  async startAnew(): Promise<void> {
    await this.button("restart").click();
    await this.says(/paused: .* update 0 of/);
    await this.button("run").click();
    await this.says(/▶ running: [^]*?update [1-9]\d* of/);
  }

  async update(): Promise<number> {
    return Number((await this.says(/(?:running|paused): [^]*?update (\d+) of/))[1]);
  }

  /** Waits until the drawn curve holds such a value. */
  async curve(holds: (value: number, update: number) => boolean): Promise<void> {
    await this.until((shown) => {
      const found = [...shown.matchAll(/: (-?\d\.\d+) after update (\d+)/g)].at(-1);
      return found && holds(Number(found[1]), Number(found[2]));
    });
  }

  /** Presses Tab, or Shift and Tab, until an element has the focus. */
  async tabTo(target: Locator, key = "Tab"): Promise<void> {
    for (let presses = 0; presses < 80; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press(key);
    }
    assert.fail("80 presses of Tab do not reach it");
  }
}
