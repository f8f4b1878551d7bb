/// <reference lib="dom" />
import type { Page } from "playwright-core";

/** Lets a page show every answer, as a reader may ask it to: for tests that look at what is below a prediction. */
export async function showAnswers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    try {
      localStorage.setItem(
        "turnwise:predictions",
        localStorage.getItem("turnwise:predictions") ?? '{"*":"?"}',
      );
    } catch {
      // A page without an origin has no storage.
    }
  });
}
