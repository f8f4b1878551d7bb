import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import type { CDPSession, Page } from "playwright-core";
import { serve } from "turnwise-site/builder/serve.cjs";
import { writeViews } from "turnwise-site/builder/views.cjs";
import { launchBrowser } from "../support/browser.js";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";

/** The pages whose pictures move, each with the button that moves them; the playground moves by itself. */
const moving: Readonly<Record<string, string>> = { unlearn: "Train the agent", film: "Play", play: "" };

/** Pages of which README has a picture, each with the button that says that nothing moves any more. */
const over: Readonly<Record<string, string>> = { play: "Replay", film: "Play", unlearn: "Train again" };

const kB = (file: string): string =>
  fs.existsSync(file) ? (zlib.gzipSync(fs.readFileSync(file)).length / 1000).toFixed(0) : "–";

/** Milliseconds between the pictures of the screen in the next two seconds. */
const framesOf = (page: Page): Promise<readonly number[]> =>
  page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const gaps: number[] = [];
        let last = performance.now();
        const end = last + 2000;
        const next = (): void => {
          const now = performance.now();
          gaps.push(now - last);
          last = now;
          if (now < end) requestAnimationFrame(next);
          else done(gaps);
        };
        requestAnimationFrame(next);
      }),
  );

/** Seconds that the page's thread has worked: unlike pictures a second, it does not depend on what else the machine does. */
async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")!.value;
}

/**
 * Weight and speed of the pages without a cell: when each shows its first picture and takes its first input, and how many pictures a
 * second it draws while something moves. With `pictures`, it also writes those of README. Gives the table line by line.
 */
export async function* table(pictures: boolean): AsyncGenerator<string> {
  const out = path.join(temporaryFolder(), "site");
  await writeViews(root, out);
  const server = await serve(out, { port: 0 });
  const address = `http://localhost:${String((server.address() as { port: number }).port)}/`;
  const browser = await launchBrowser(undefined);
  yield "| page | kB | worker, kB | first picture, ms | takes input, ms | pictures a second | its own work for one, ms | longest wait, ms |";
  yield "| --- | --- | --- | --- | --- | --- | --- | --- |";
  try {
    for (const [name, button] of Object.entries(moving)) {
      const page = await browser.newPage({ viewport: { width: 1366, height: 900 } });
      await page.goto(`${address}${name}/`);
      await page.locator("#view svg").first().waitFor();
      const paint = await page.evaluate(
        () =>
          new Promise<number>((done) => {
            new PerformanceObserver((list, observer) => {
              observer.disconnect();
              done(list.getEntriesByName("first-contentful-paint")[0]!.startTime);
            }).observe({ type: "paint", buffered: true });
          }),
      );
      await page.locator("#view input[type=range]").first().focus();
      const ready = await page.evaluate(() => performance.now());
      if (button !== "") await page.getByRole("button", { name: button }).click();
      const session = await page.context().newCDPSession(page);
      await session.send("Performance.enable", { timeDomain: "threadTicks" });
      const before = await workOf(session);
      const gaps = await framesOf(page);
      const work = (await workOf(session)) - before;
      const sorted = [...gaps].sort((a, b) => a - b);
      const median = sorted[Math.floor(sorted.length / 2)]!;
      yield `| ${[
        name,
        kB(path.join(out, name, `${name}.js`)),
        kB(path.join(out, name, "worker.js")),
        paint.toFixed(0),
        ready.toFixed(0),
        (1000 / median).toFixed(0),
        ((1000 * work) / gaps.length).toFixed(1),
        sorted.at(-1)!.toFixed(0),
      ].join(" | ")} |`;
      if (pictures && over[name] !== undefined) {
        await page.getByRole("button", { name: over[name]! }).waitFor({ timeout: 120_000 });
        if (name === "film")
          await page
            .getByText(/of 20 have forgotten it/)
            .nth(1)
            .waitFor();
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
        await page.screenshot({ path: path.join(root, "test", "site", "screenshots", `${name}.png`) });
      }
      await page.close();
    }
  } finally {
    await browser.close();
    server.close();
    removeTemporaryFolders();
  }
}
