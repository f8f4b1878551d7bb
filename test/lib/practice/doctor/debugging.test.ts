import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor } from "turnwise-practice";
import { causeKinds } from "turnwise-practice/internal/doctor/causes/index";
import { findings } from "turnwise-practice/internal/lint/index";
import { root } from "../../../support/paths.js";

const page = fs.readFileSync(path.join(root, "docs/debugging.md"), "utf8");
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ anchor: text.split("\n")[0]!.toLowerCase().replace(/ /g, "-"), text }));

describe("the debugging guide", () => {
  before(() => process.chdir(root));

  it("has a section for each cause, and each lesson is there", () => {
    const anchors = sections.map(({ anchor }) => anchor);
    for (const { section, lesson } of Object.values(causeKinds)) {
      assert.ok(anchors.includes(section), section);
      assert.ok(fs.existsSync(path.join(root, "notebooks", `${lesson}.ipynb`)), lesson);
    }
    for (const { lesson } of Object.values(findings)) {
      assert.ok(fs.existsSync(path.join(root, "notebooks", `${lesson}.ipynb`)), lesson);
    }
  });

  it("says of each cause where its weight comes from", () => {
    const trainers = fs
      .readFileSync(path.join(root, "docs/other-trainers.md"), "utf8")
      .replaceAll(/ +/g, " ");
    for (const { title, section, basis } of Object.values(causeKinds)) {
      assert.ok(trainers.includes(`| [${title}](debugging.md#${section}) | ${basis} |`), title);
    }
  });

  // The section on the twin trains: its command is run by the slow test of the twin.
  for (const { anchor, text } of sections.filter((one) => one.anchor !== "the-twin")) {
    it(`shows in ${anchor} what its command prints first`, async () => {
      const [, file] = /^npx turnwise doctor (\S+)$/m.exec(text) ?? [];
      const [, shown] = /```text\n([^]*?)\n```/.exec(text) ?? [];
      const report = await doctor(file!);
      assert.equal(String(report).split("\n\n")[0], shown);
      // The example of a section is one whose first causes lead to it.
      const led = report.causes.slice(0, 2).map(({ section }) => section);
      assert.ok(anchor === "success-falls" || led.includes(anchor), led.join(", "));
    });
  }
});
