import { patient } from "../support/patient.js";
import { declareAll, forms, names } from "./globalNameForms.js";
import { temporaryFolder } from "./with-kernel.js";

describe("every name of the engine's or of Node's that cells declare, in every form", function () {
  this.timeout(patient(120_000));
  const folder = temporaryFolder();

  for (const form of Object.keys(forms))
    it(`means what was declared, and takes the global from nobody: ${String(names.length)} names by ${form}`, () =>
      declareAll(folder(), [form]));
});
