import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { Visit } from "./visit.js";

describe("the site, lesson by lesson", function () {
  this.timeout(patient(240_000));
  const shared = sharedSite();

  it("opens every lesson without an error in the log and without a file that is missing", async () => {
    const reader = await Visit.open(shared().browser, shared().site);
    await reader.goto("");
    const lessons = fs.readdirSync(path.join(root, "notebooks")).filter((name) => name.endsWith(".ipynb"));
    for (const name of lessons) {
      await reader.goto(`lessons/${path.parse(name).name}/`);
      assert.deepEqual(reader.complaints, [], name);
    }
    await reader.close();
  });
});
