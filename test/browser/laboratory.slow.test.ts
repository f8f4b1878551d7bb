import path from "node:path";
import { root } from "../support/paths.js";
import { drag, drawn, openSliders } from "./lessonSliders.js";

const seen = path.join(root, "build", "screenshots");

describe("02-impossibility-theorem in JupyterLab", function () {
  this.timeout(600_000);

  it("02: dragging the group size, the prize and the division changes what is pushed and where the tool ends", async function () {
    const lab = await openSliders(this, "02-impossibility-theorem.ipynb", [
      "const dials = {",
      "widgets.redraw(dials, drawPush)",
      "const toolDials = {",
      "widgets.redraw(toolDials, drawToolField)",
    ]);

    const push = lab.codeCell("widgets.redraw(dials, drawPush)");
    await drawn(push, /Machine 0\.25, salary 0\.15/).waitFor();
    await drag(lab, push, 0, "End", /grpo, group of 64/);
    // A machine that pays .5 is worth less than the salary, and the same push is right.
    await drag(lab, push, 1, "Home", /Machine 0\.13, salary 0\.15/);
    await push.locator("input[type=checkbox]").uncheck();
    await drawn(push, /drGrpo, group of 64/).waitFor();
    await lab.screenshot(path.join(seen, "notebook-02-light.png"));

    const field = lab.codeCell("widgets.redraw(toolDials, drawToolField)");
    await drawn(field, /The tool pays in 40%/).waitFor();
    await drag(lab, field, 1, "End", /The tool pays in 100%/);
    await field.locator("input[type=checkbox]").uncheck();
    await drawn(field, /: 121 arrows.* the return falls at 0 of them/).waitFor();
    await lab.close();
  });
});
