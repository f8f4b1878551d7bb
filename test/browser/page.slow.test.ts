// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { notebookToHtml } from "turnwise-kernel/dist/runner/page/page.js";
import { code, markdown, notebookOf } from "../support/notebook.js";
import { useBrowser } from "../support/sharedBrowser.js";

// One red pixel.
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

describe("an exported page", function () {
  this.timeout(60_000);
  let browser: Browser | undefined;
  let server: Server | undefined;
  const asked: string[] = [];
  let page = "";

  before(async function () {
    browser = await useBrowser(this);
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (request.url !== "/page.html")
        return void response.writeHead(200, { "content-type": "image/png" }).end();
      response.writeHead(200, { "content-type": "text/html" }).end(page);
    });
    await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  });
  after(() => server?.close());

  it("asks nobody for anything, whatever images its cells and its text name, and shows its own", async () => {
    const at = `http://127.0.0.1:${(server!.address() as AddressInfo).port}`;
    const cell = code("run()");
    const shown = (data: Record<string, unknown>): object => ({
      output_type: "display_data",
      data,
      metadata: {},
    });
    cell.outputs = [
      shown({
        "text/html": `<img class="remote" src="${at}/html.png"><p style="background: url(${at}/style.png)">a</p>`,
      }),
      shown({
        "image/svg+xml": `<svg xmlns="http://www.w3.org/2000/svg"><image href="${at}/svg.png"/></svg>`,
      }),
      shown({ "image/png": pixel }),
    ] as typeof cell.outputs;
    page = await notebookToHtml(
      notebookOf(markdown(`# Title\n\n![there](${at}/markdown.png)`), cell),
      "page",
    );
    assert.ok(page.includes("/html.png") && page.includes("/markdown.png"), "the page names them");
    const tab = await browser!.newPage();
    await tab.goto(`${at}/page.html`, { waitUntil: "load" });
    await tab.waitForFunction("[...document.images].every((image) => image.complete)");
    const widths = await tab.evaluate("[...document.images].map((image) => image.naturalWidth)");
    assert.deepEqual(
      asked.filter((path) => path !== "/favicon.ico"),
      ["/page.html"],
    );
    assert.equal((widths as number[]).at(-1), 1, "its own image is shown");
    await tab.close();
  });
});
