import assert from "node:assert/strict";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { Visit } from "./visit.js";

const lesson = "notebooks/00-start-here.ipynb";

describe("a lesson of the built site", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  let reader: Visit;
  before(async () => {
    reader = await Visit.open(shared().browser, shared().site);
    await reader.goto("lessons/00-start-here/");
  });
  after(() => (reader as Visit | undefined)?.close());

  it("opens at its own address in the notebook application, isolated, with its stored figures", async () => {
    const { page } = reader;
    await reader.codeCell(0).locator(".jp-RenderedHTMLCommon svg, .jp-RenderedSVG").first().waitFor();
    assert.equal(new URL(page.url()).searchParams.get("path"), lesson);
    assert.equal(await page.evaluate("crossOriginIsolated"), true);
  });

  it("runs a cell and shows its value, and the next one its error", async () => {
    await reader.says(await reader.runNew("const answer: number = 6 * 7;\nanswer"), /^42$/);
    const bad = await reader.runNew('throw new RangeError("as it must be less, but it is " + answer)');
    await reader.says(bad, "RangeError: as it must be less, but it is 42");
    assert.deepEqual(reader.complaints, []);
  });
});
