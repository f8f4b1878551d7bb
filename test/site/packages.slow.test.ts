import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { siteLab } from "./siteLab.js";

describe("packages that are built into a site, in its page", function () {
  this.timeout(patient(60_000));
  const shared = sharedSite();

  it("are imported by their names, and %install says which there are and how to get others", async () => {
    const { browser, site } = shared();
    const context = await browser.newContext();
    const lab = await siteLab(context, site, "notebooks/exercises/00-one-knob.ipynb");
    await lab.says(
      await lab.runNew('import { mean, max } from "d3-array";\n[mean([1, 2, 6]), max([3, 9])]'),
      /\[ 3, 9 \]/,
    );
    await lab.says(
      await lab.runNew("%install d3-array"),
      /d3-array: in this site already, ready to be imported/,
    );
    await lab.says(
      await lab.runNew("%install"),
      /This site has the packages d3-array 3\.\d+\.\d+, d3-dsv 3\./,
    );
    await lab.says(
      await lab.runNew("%install left-pad@1"),
      /Cannot install left-pad: a page has no npm, so packages must be built into the site.*This site has d3-array.*npm run site -- --with left-pad/s,
    );
  });
});
