import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { patient } from "../support/patient.js";

/** A notebook of the site in a frame of another site's page, where no memory is shared. */
export class ForeignFrame {
  private constructor(
    readonly page: Page,
    private readonly host: http.Server,
  ) {}

  static async open(browser: Browser, address: string): Promise<ForeignFrame> {
    const frame = `<iframe style="width:1200px;height:900px" src="${address}"></iframe>`;
    const host = http.createServer((_, response) =>
      response.setHeader("Content-Type", "text/html").end(frame),
    );
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const page = await browser.newPage({ viewport: { width: 1300, height: 1000 } });
    page.setDefaultTimeout(patient(60_000));
    return new ForeignFrame(page, host);
  }

  get inside(): FrameLocator {
    return this.page.frameLocator("iframe");
  }

  /** Loads the page, or loads it once more. */
  async load(): Promise<void> {
    const { port } = this.host.address() as AddressInfo;
    await this.page.goto(`http://localhost:${String(port)}/`);
  }

  /** Runs code instead of the first cell. */
  async run(code: string): Promise<Locator> {
    const cell = this.inside.locator(".jp-CodeCell").first();
    await cell.locator(".cm-content").click({ timeout: patient(60_000) });
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.insertText(code);
    await this.page.keyboard.press("Control+Enter");
    return cell;
  }

  async close(): Promise<void> {
    await this.page.close();
    this.host.close();
  }
}
