import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "./paths.js";

/**
 * Compares a text, such as a drawn chart, with the one stored as `__snapshots__/<name>` beside the tests of a folder, "lib/plot".
 * With UPDATE_SNAPSHOTS=1 it is stored instead: look at the difference before you commit it.
 */
export function matchesSnapshot(folder: string, name: string, text: string): void {
  const file = path.join(root, "test", folder, "__snapshots__", name);
  if (process.env.UPDATE_SNAPSHOTS === "1") {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return;
  }
  assert.ok(fs.existsSync(file), `${file} is not there: UPDATE_SNAPSHOTS=1 stores it`);
  assert.equal(text, fs.readFileSync(file, "utf8"), `${name}: UPDATE_SNAPSHOTS=1 renews it`);
}

/** An SVG with one element a line, so that a difference shows what has changed. */
export const linesOf = (svg: string): string => `${svg.replaceAll(/></g, ">\n<").trim()}\n`;
