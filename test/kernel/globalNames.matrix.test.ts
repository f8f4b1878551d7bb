import { patient } from "../support/patient.js";
import { declareAll, forms, names } from "./globalNameForms.js";
import { host, temporaryFolder } from "./with-kernel.js";

describe("every name of the engine's or of Node's that cells declare, in every form", function () {
  this.timeout(patient(120_000));
  const folder = temporaryFolder();

  // Cells of a page take longer, and its transform is the same: there the turns of the slow tier do.
  for (const form of host === "node" ? Object.keys(forms) : [])
    it(`means what was declared, and takes the global from nobody: ${String(names.length)} names by ${form}`, () =>
      declareAll(folder(), [form]));
});
