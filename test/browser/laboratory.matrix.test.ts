import path from "node:path";
import { root } from "../support/paths.js";
import { drag, drawn, openSliders } from "./lessonSliders.js";

const seen = path.join(root, "build", "screenshots");

describe("03-update-order-ablation in JupyterLab", function () {
  this.timeout(600_000);

  it("03: dragging the height of the ladder, the step and the start changes its chart", async function () {
    const lab = await openSliders(this, "03-update-order-ablation.ipynb", [
      "const dials = {",
      "widgets.redraw(dials, drawLadder)",
    ]);

    const ladder = lab.codeCell("widgets.redraw(dials, drawLadder)");
    await drawn(ladder, /A ladder of 4 rungs, gradient steps of 64/).waitFor();
    await drag(lab, ladder, 0, "Home", /A ladder of 2 rungs, gradient steps of 64/);
    await drag(lab, ladder, 1, "Home", /A ladder of 2 rungs, gradient steps of 1:/);
    // From a start that goes right in nine cases out of ten: (.9 x .9 + .05 x .55 + .9 x .05 x .55) = .862.
    await drag(lab, ladder, 2, "End", /last turn first goes from 0\.862 at 1/);
    await lab.screenshot(path.join(seen, "notebook-03-light.png"));
    await lab.close();
  });
});
