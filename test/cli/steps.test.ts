import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { Complaint, report, step } from "turnwise-kernel/bootstrap/steps.cjs";

function capture(): { out: PassThrough; text(): string } {
  const out = new PassThrough();
  let text = "";
  out.setEncoding("utf8").on("data", (data: string) => (text += data));
  return { out, text: () => text };
}

describe("the step printer", () => {
  it("prints one line with the title, the result and the time", async () => {
    const { out, text } = capture();
    const result = await step("Counting", (progress) => (progress("1 of 2"), "2 things"), out);
    assert.equal(result, "2 things");
    assert.match(text(), /^Counting \.\.\. 2 things, \d+\.\d s\n$/);
  });

  it("says that a step failed, and rethrows the error", async () => {
    const { out, text } = capture();
    await assert.rejects(
      step("Counting", () => Promise.reject(new Complaint("Cannot count")), out),
      /^Complaint: Cannot count$/,
    );
    assert.match(text(), /^Counting \.\.\. failed after \d+\.\d s\n$/);
  });

  it("on a terminal shows progress by rewriting the line, and leaves one line", async () => {
    const { out, text } = capture();
    Object.assign(out, { isTTY: true, columns: 60 });
    await step(
      "Counting",
      async (progress) => {
        progress("1 of 2");
        await new Promise((resolve) => setTimeout(resolve, 450));
        return "2 things";
      },
      out,
    );
    assert.match(text(), /\r\x1b\[KCounting \.\.\. 1 of 2, \d\.\d s/); // eslint-disable-line no-control-regex
    assert.equal(text().split("\n").length, 2);
    assert.match(text().split("\r").at(-1)!, /^\x1b\[KCounting \.\.\. 2 things, \d\.\d s\n$/); // eslint-disable-line no-control-regex
  });

  it("reports a complaint by its sentences, and a defect by its stack", () => {
    const { out, text } = capture();
    report(new Complaint("Cannot go on", "To fix it, rest."), out);
    assert.equal(text(), "Cannot go on\nTo fix it, rest.\n");
    report(new TypeError("slip"), out);
    assert.match(text(), /TypeError: slip\n +at /);
  });
});
