// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {
  shownWindow,
  shownWindowsToCsv,
  storedWindows,
} from "turnwise-course/internal/04-echo-trap/alarms/shownWindow";
import { root } from "../../../support/paths.js";

const text = fs.readFileSync(path.join(root, "datasets", "measured", "echo-trap-windows.csv"), "utf8");

describe("the windows of runs that fall or hold", () => {
  const windows = storedWindows(text);

  it("are read and written alike", () => {
    assert.equal(shownWindowsToCsv(windows).trimEnd(), text.trimEnd());
  });

  it("are what is stored when a run is trained again (else: node datasets/measure-windows.cjs)", async () => {
    // The cheapest setting, and the earliest fall of it.
    const cheap = windows.filter(({ setting, onset }) => setting === "Adam .5, 8 steps" && onset !== null);
    const first = cheap.reduce((a, b) => (b.last < a.last ? b : a));
    assert.deepEqual(await shownWindow(first), first);
  });
});
