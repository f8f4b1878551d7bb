import { patient } from "../support/patient.js";
import { declareAll, forms, names } from "./globalNameForms.js";
import { temporaryFolder } from "./with-kernel.js";

describe("every name of the engine's or of Node's that cells declare", function () {
  this.timeout(patient(120_000));
  const folder = temporaryFolder();

  it(`means what was declared, and takes the global from nobody: ${String(names.length)} names, in six forms by turns`, () =>
    declareAll(folder(), Object.keys(forms)));
});
